-- The scheduler of models/scheduler0.mch. The constant PROC, the number of processes, is written before
-- this text.

type
  process: 1 .. PROC;
  status: enum {absent, idle, ready, running};

var
  is: array [process] of status;
  -- Whether some process is running: it follows from `is`, so there are no more states for it.
  busy: boolean;

startstate "no process"
begin
  for p: process do is[p] := absent; end;
  busy := false;
end;

ruleset p: process do
  rule "new" is[p] = absent ==> begin is[p] := idle; end;
  rule "del" is[p] = idle ==> begin is[p] := absent; end;
  rule "ready" is[p] = idle ==> begin is[p] := ready; end;
  rule "enter" is[p] = ready & !busy ==> begin is[p] := running; busy := true; end;
  rule "leave" is[p] = running ==> begin is[p] := idle; busy := false; end;
end;

invariant "one at a time"
  forall p: process do forall q: process do
    p = q | is[p] != running | is[q] != running
  end end;
