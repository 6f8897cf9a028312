//! More of what wants a place than there are places, however that is said, which would take for ever by trying; and as
//! many as there are.

use super::puzzles::solutions;
use super::*;

/// Eleven pigeons and ten holes.
#[test]
fn pigeons() {
    let ones = "b : (1..11)*(1..10) --> 0..1";
    let truths = "b : (1..11)*(1..10) --> BOOL & !x.(x : 1..11 => #y.(y : 1..10 & b(x,y) = TRUE))";
    for text in [
        format!(
            "{ones} & !x.(x : 1..11 => SIGMA(y).(y : 1..10 | b(x,y)) >= 1) & !y.(y : 1..10 => SIGMA(x).(x : 1..11 | b(x,y)) <= 1)"
        ),
        format!(
            "!y.(y : 1..10 => 2 > SIGMA(x).(x : 1..11 | b(x,y))) & !x.(x : 1..11 => SIGMA(y).(y : 1..10 | b(x,y)) = 1) & {ones}"
        ),
        format!(
            "{truths} & !(x,z,y).(x : 1..11 & z : 1..11 & x < z & y : 1..10 => not(b(x,y) = TRUE & b(z,y) = TRUE))"
        ),
        format!(
            "{truths} & !(y,z,x).(x : 1..11 & z : 1..11 & z < x & y : 1..10 => b(x,y) = FALSE or b(z,y) = FALSE)"
        ),
    ] {
        none("b", &text);
    }
    for text in [
        "f : 1..11 --> POW(1..10) & !x.(x : 1..11 => f(x) /= {}) & !(x,y).(x : 1..11 & y : 1..11 & x /= y => f(x) /\\ f(y) = {})",
        "f : 1..11 --> 1..10 & !(x,y).(x : 1..11 & y : 1..11 & x /= y => f[{x}] /\\ f[{y}] = {})",
        "f : 1..11 --> 1..10 & f~ : 1..10 +-> 1..11",
        "f : 1..11 --> 1..10 & !y.(y : 1..10 => card(f~[{y}]) <= 1)",
        "f : 1..10 --> POW(1..11) & !h.(h : 1..10 => card(f(h)) <= 1) & union(ran(f)) = 1..11",
        "f <: (1..11)*(1..10) & dom(f) = 1..11 & !(x,z,y).(x|->y : f & z|->y : f => x = z)",
    ] {
        none("f", text);
    }
    for differ in [
        "3*x(i)+y(i) /= 3*x(j)+y(j)",
        "x(j)*3 /= 3*x(i)+y(i)-y(j)",
        "(x(i) /= x(j) or y(i) /= y(j))",
    ] {
        none(
            "x, y",
            &format!(
                "x : 1..10 --> 1..3 & y : 1..10 --> 1..3 & !(i,j).(i : 1..10 & j : 1..10 & i < j => {differ})"
            ),
        );
    }
}

/// Of each as many as there is need for, and room.
#[test]
fn several_in_one_place() {
    for (need, room, days, people) in [(3, 2, 7, 10), (2, 1, 6, 11), (4, 3, 9, 11)] {
        let said = |people: i32, need: &str, room: &str| {
            format!(
                "b : (1..{days})*(1..{people}) --> 0..1 & !d.(d : 1..{days} => SIGMA(p).(p : 1..{people} | b(d,p)) {need}) & !p.(p : 1..{people} => SIGMA(d).(d : 1..{days} | b(d,p)) {room})"
            )
        };
        assert!(need * days > room * people);
        for (need, room) in [
            (format!(">= {need}"), format!("<= {room}")),
            (format!("= {need}"), format!("< {}", room + 1)),
        ] {
            none("b", &said(people, &need, &room));
        }
    }
    none(
        "f",
        "f : 1..9 --> POW(1..11) & !x.(x : 1..9 => card(f(x)) >= 4) & !y.(y : 1..11 => card({x | x : 1..9 & y : f(x)}) <= 3)",
    );
    none("f", "f : 1..13 --> 1..6 & !y.(y : 1..6 => card(f~[{y}]) <= 2)");
    none("f", "f : 1..13 --> 1..6 & !y.(y : 1..6 => card({x | x : 1..13 & f(x) = y}) < 3)");
}

/// What is left where there is a place for everybody is what there is.
#[test]
fn places_for_everybody() {
    for (text, count) in [
        ("f : 1..4 --> 1..4 & !y.(y : 1..4 => card(f~[{y}]) <= 1)", 24),
        ("f : 1..4 --> 1..4 & !y.(y : 1..4 => card({x | x : 1..4 & f(x) = y}) = 1)", 24),
        ("f : 1..4 --> 1..3 & !y.(y : 1..3 => card(f~[{y}]) <= 2)", 54),
        ("f : 1..6 --> 1..3 & !y.(y : 1..3 => card({x | x : 1..6 & f(x) = y}) = 2)", 90),
        (
            "f : 1..3 --> POW(1..4) & !(x,y).(x : 1..3 & y : 1..3 & x < y => f(x) /\\ f(y) = {}) & !x.(x : 1..3 => f(x) /= {})",
            60,
        ),
        (
            "f : (1..3)*(1..3) --> 0..1 & !x.(x : 1..3 => f(x,1)+f(x,2)+f(x,3) = 1 & f(1,x)+f(2,x)+f(3,x) = 1)",
            6,
        ),
        (
            "f : (1..3)*(1..3) --> 0..1 & !x.(x : 1..3 => f(x,1)+f(x,2)+f(x,3) = 2 & f(1,x)+f(2,x)+f(3,x) <= 2)",
            6,
        ),
        (
            "f : (1..3)*(1..4) --> 0..1 & !x.(x : 1..3 => SIGMA(y).(y : 1..4 | f(x,y)) = 2) & !y.(y : 1..4 => SIGMA(x).(x : 1..3 | 1-f(x,y)) >= 1)",
            114,
        ),
    ] {
        assert_eq!(solutions("f", text), count, "{text}");
    }
}

/// Zeros and ones instead of truth values.
#[test]
fn clauses_of_numbers() {
    for said in [
        "(x(1) = 1 or x(2) = 0 or x(3) = 1) & (x(2) = 1 or x(4) = 1)",
        "x(1) + (1-x(2)) + x(3) >= 1 & x(2) + x(4) > 0",
        "2*x(1) - x(2) + 3*x(3) >= 0 & x(4) >= 1 - x(2)",
        "(1-x(1))*x(2)*(1-x(3)) = 0 & 0 = (x(2)-1)*(x(4)-1)",
        "max({x(1), 1-x(2), x(3)}) = 1 & max({x(4), x(2)}) = 1",
    ] {
        assert_eq!(solutions("x", &format!("x : 1..4 --> 0..1 & {said}")), 10, "{said}");
    }
    for (said, count) in [
        ("(x-2)*(y-3) = 0", 9),
        ("0 = (x-2)*((y-3)*(x-4))", 13),
        ("not((x-2)*(y-3) = 0)", 16),
        ("(x*y = 0 <=> x = 5)", 20),
        ("x + y <= 9 & x * (6 mod y) = 0 & y > 0", 15),
    ] {
        assert_eq!(solutions("x, y", &format!("x : 1..5 & y : 1..5 & {said}")), count, "{said}");
    }
}
