-- The phone book of models/phonebook_db.mch. The constants Name and Code, the sizes of its sets, are
-- written before this text.

type
  name: 1 .. Name;
  code: 0 .. Code;

var
  -- The code of a name; 0 where it has none.
  book: array [name] of code;

startstate "nobody"
begin
  for n: name do book[n] := 0; end;
end;

ruleset n: name do
  ruleset c: 1 .. Code do
    rule "add" book[n] = 0 ==> begin book[n] := c; end;
  end;
  rule "delete" book[n] != 0 ==> begin book[n] := 0; end;
  rule "lookup" book[n] != 0 ==> begin end;
end;
