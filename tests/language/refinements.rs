//! Refinements and implementations, loaded with what they refine.

use super::*;

const ABSTRACT: &str = "MACHINE A SETS S = {s1, s2} CONSTANTS lim PROPERTIES lim = 3
  VARIABLES x, y, st INVARIANT x : 0..lim & y : 0..lim & st : S
  INITIALISATION x, y, st := 0, 0, s1
  OPERATIONS
    add(n, t) = PRE n : 1..2 & t : S & x + n <= lim & y < lim THEN x := x + n || st := t END;
    use(p) = PRE p : {s1} THEN skip END;
    r <-- q = BEGIN r := st END
  END";

#[test]
fn variables_of_one_name_are_one() {
    let refinement = "REFINEMENT R REFINES A VARIABLES x, z, st
      INVARIANT z = x + 1 & z = x - y & x <= lim
      INITIALISATION x := 0; z := 1; st := s1
      OPERATIONS
        add(n, t) = PRE x + n <= lim THEN x := x + n; z := z + n; st := t END;
        use(p) = skip;
        r <-- q = r := st
      END";
    // `z = x - y` speaks of what only A has. A types and bounds the parameters of both.
    let outcome = search_files(&[("R.ref", refinement), ("A.mch", ABSTRACT)]);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    assert_eq!(outcome.states, 1 + 3 * 2);
    // The gluing invariant that is left is checked.
    let wrong = refinement.replace("z := z + n", "z := z + 1");
    let outcome = search_files(&[("R.ref", &wrong), ("A.mch", ABSTRACT)]);
    assert_eq!(outcome.verdict, Verdict::InvariantViolation);
}

#[test]
fn preconditions_come_down_the_chain() {
    let first = "REFINEMENT R REFINES A VARIABLES x, st INVARIANT x >= 0
      INITIALISATION x := 0; st := s1
      OPERATIONS add(n, t) = PRE x + n <= 3 THEN x := x + n || st := t END;
        use(p) = skip; r <-- q = r := st END";
    let second = "REFINEMENT R2 REFINES R VARIABLES x, st INVARIANT x <= 3
      INITIALISATION x := 0; st := s1
      OPERATIONS add(m, t) = SELECT x < 2 THEN x := x + m || st := t END;
        use(p) = skip; r <-- q = r := st END";
    let files = [("R2.ref", second), ("R.ref", first), ("A.mch", ABSTRACT)];
    let outcome = search_files(&files);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    assert_eq!(outcome.states, 7);
}

#[test]
fn an_implementation_imports_and_loops() {
    let table = "MACHINE Table CONSTANTS top PROPERTIES top : 1..3 & top = 2
      VARIABLES t INVARIANT t : 0..top --> BOOL INITIALISATION t := (0..top) * {FALSE}
      OPERATIONS
        write(i, b) = PRE i : 0..top & b : BOOL THEN t(i) := b END;
        n <-- count = BEGIN n := card(t |> {TRUE}) END
      END";
    let cell = "MACHINE Cell VARIABLES v INVARIANT v : BOOL INITIALISATION v := FALSE
      OPERATIONS set(b) = PRE b : BOOL THEN v := b END; b <-- get = BEGIN b := v END END";
    let implementation = "IMPLEMENTATION Table_i REFINES Table VALUES top = 2
      IMPORTS a.Cell, b.Cell, c.Cell
      INITIALISATION a.set(FALSE); b.set(FALSE); c.set(FALSE)
      LOCAL_OPERATIONS r <-- at(i) = PRE i : 0..top THEN r :: BOOL END
      OPERATIONS
        write(i, b) = CASE i OF EITHER 0 THEN a.set(b) OR 1 THEN b.set(b) ELSE c.set(b) END END;
        n <-- count = VAR i, x IN
          i := 0; n := 0;
          WHILE i <= top DO
            x <-- at(i); IF x = TRUE THEN n := n + 1 END; i := i + 1
          INVARIANT i : 0..top + 1 & n <= i VARIANT top + 1 - i END
        END;
        r <-- at(i) = IF i = 0 THEN r <-- a.get ELSIF i = 1 THEN r <-- b.get ELSE r <-- c.get END
      END";
    let files = [("Table_i.imp", implementation), ("Table.mch", table), ("Cell.mch", cell)];
    let outcome = search_files(&files);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    let plain = search_files(&[("Table.mch", table)]);
    assert_eq!((outcome.states, plain.states), (8, 8));
    assert_eq!(outcome.transitions, plain.transitions);
}
