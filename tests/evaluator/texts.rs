//! Strings that a state holds by their places in a list, against the same held by their numbers.

use super::found;
use burnside::search::SymmetryMode;

/// A machine on strings, functions from and to them, sets and sequences of them, and records with sets and strings in
/// them. Now and then they are others than the invariant says. An external function that makes strings is reason enough
/// to hold none of them by its place.
fn text(packed: bool) -> String {
    let made = if packed { "st" } else { r#"STRING_APPEND(st, "")"# };
    format!(
        r#"MACHINE T SETS D; C = {{red, green}}
        DEFINITIONS "LibraryStrings.def"
        VARIABLES st, mode, f, g, s, q, kit, ks, n
        INVARIANT st : STRING & mode : {{"on", "off"}} & f : C +-> {{"idle", "busy"}} & g : {{"a", "b", "c"}} --> 0..2 &
          s <: {{"a", "b", "idle"}} & q : seq(STRING) & size(q) <= 2 & n : 0..4 &
          kit : struct(own : POW(D), tags : POW(1..3), of : STRING) & (st = "b" => "a" : s or n < 4) &
          ks : C --> struct(t : POW(0..2), name : {{"a", "b"}}) & !c.(c : dom(f) => f(c) : {{"idle", "busy", "c"}})
        INITIALISATION
          st := "a" || mode := "off" || f := {{}} || g := {{"a", "b", "c"}} * {{0}} || s := {{}} || q := [] || n := 0 ||
          kit := rec(own : {{}}, tags : {{}}, of : "a") || ks := C * {{rec(t : {{}}, name : "a")}}
        OPERATIONS
          go = SELECT {made} = "a" & mode /= "on" THEN mode := "on" || st := "b" END;
          halt(m) = SELECT m : {{"off", "lost"}} & mode : {{"on", "a"}} & n > 1 THEN mode := m END;
          name(c, x) = SELECT c : C & x : {{"idle", "busy", "c"}} & n /= 1 & (x = "c" => n = 3) THEN f(c) := x END;
          flip(c) = SELECT c : dom(f) & f(c) = "idle" THEN f := f <+ {{c |-> "busy"}} || st := f(c) END;
          lose(c) = SELECT c : f~[{{"busy"}}] & n = 2 THEN f := {{c}} <<| f || n := 3 END;
          same = SELECT f(red) = f(green) & st /= f(red) THEN st := f(red) || q := q <- st END;
          count(x) = SELECT x : dom(g) & g(x) < 2 & st = "b" THEN g(x) := g(x) + 1 END;
          add = SELECT st /: s THEN s := s \/ {{st}} || n := (n + 1) mod 5 END;
          less = SELECT s /<: ran(f) & n = 4 THEN s := s - {{"b", "lost"}} || mode := "off" END;
          clear = SELECT card(s) > 1 THEN s, g := {{}}, g <+ {{"c" |-> card(s) - 1}} END;
          drop = SELECT q /= [] THEN st := first(q) || q := tail(q) END;
          take(d, t) = SELECT d : D - kit'own & t : 1..3 & card(kit'tags) < 2 & st = "a"
            THEN kit := rec(own : kit'own \/ {{d}}, tags : kit'tags \/ {{t, t mod 3 + 1}}, of : mode) END;
          give = SELECT kit'own /= {{}} & kit'of /= "off" THEN kit'own := {{}} END;
          tag(x) = SELECT x : kit'tags & n = 0 & x + 1 /: kit'tags THEN kit'tags := kit'tags - {{x}} END;
          four = SELECT kit'tags = {{1, 2}} & n = 3 THEN kit'tags := {{4}} \/ kit'tags END;
          label(c) = SELECT c : C & 1 /: ks(c)'t & max(ks(c)'t \/ {{n}}) > 1
            THEN ks(c)'t := ks(c)'t \/ {{min({{n, 2}})}} ; ks(c)'name := st END;
          swap = SELECT ks(red)'t <: ks(green)'t & ks(red)'name /= kit'of
            THEN ks(red) := rec(t : 0..n, name : ks(green)'name) || st := ks(red)'name END;
          r <-- ask = BEGIN r := bool("idle" : ran(f) & #x.(x : kit'tags & x : ks(red)'t)) END
        END"#
    )
}

#[test]
fn strings_in_fields_do_as_those_in_numbers_do() {
    for mode in [SymmetryMode::Off, SymmetryMode::Canon] {
        let [packed, numbered] = [true, false].map(|packed| found(&text(packed), mode));
        assert_eq!(packed, numbered, "{mode:?}");
        assert!(packed[0] > 1_000 && packed[2] > 0, "{packed:?}: something is undefined");
    }
}
