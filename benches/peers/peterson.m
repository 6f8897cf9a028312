-- Peterson's protocol of models/peterson.mch. The constant PROC, the number of processes, is written before
-- this text.

type
  process: 1 .. PROC;
  height: 0 .. PROC;
  place: enum {idle, climb, raise, yield, wait, enter, critical, leave};

var
  at: array [process] of place;
  level: array [process] of height;
  flag: array [process] of height;
  -- Who came last to a level; 0: nobody has yet.
  turn: array [1 .. PROC - 1] of 0 .. PROC;
  inside: height;

startstate "all idle"
begin
  for p: process do at[p] := idle; level[p] := 0; flag[p] := 0; end;
  for l: 1 .. PROC - 1 do turn[l] := 0; end;
  inside := 0;
end;

ruleset p: process do
  rule "start" at[p] = idle ==> begin level[p] := 1; at[p] := climb; end;
  rule "next" at[p] = climb ==> begin
    if level[p] < PROC then at[p] := raise; else at[p] := enter; end;
  end;
  rule "show" at[p] = raise ==> begin flag[p] := level[p]; at[p] := yield; end;
  rule "come" at[p] = yield ==> begin turn[level[p]] := p; at[p] := wait; end;
  rule "try" at[p] = wait ==> begin
    if (forall q: process do q = p | flag[q] < level[p] end) | turn[level[p]] != p then
      level[p] := level[p] + 1;
      at[p] := climb;
    end;
  end;
  rule "go_in" at[p] = enter ==> begin inside := inside + 1; at[p] := critical; end;
  rule "go_out" at[p] = critical ==> begin inside := inside - 1; at[p] := leave; end;
  rule "lower" at[p] = leave ==> begin flag[p] := 0; at[p] := idle; end;
end;

invariant "mutual exclusion" inside <= 1;
