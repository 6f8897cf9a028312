//! What external functions on strings compute.

use super::{Call, LONGEST, big, string, strings, text};
use crate::machine::Type;
use crate::value::{Value, sequence};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// `STRING_SPLIT(s, separator)`: the parts between the separators; all of it where there is none.
pub(super) fn split(c: &Call, a: &[Value]) -> Option<Value> {
    let (whole, separator) = (text(&a[0]), text(&a[1]));
    let parts: Vec<Value> = match separator {
        "" => vec![a[0].clone()],
        _ => whole.split(separator).map(|part| Value::String(part.into())).collect(),
    };
    Some(sequence::from_items(&c.result, parts))
}

pub(super) fn join(c: &Call, a: &[Value]) -> Option<Value> {
    let parts = strings(c, a)?;
    let separator = text(&a[1]);
    if parts.len().checked_mul(separator.len())? > LONGEST {
        return None;
    }
    string(parts.join(separator))
}

pub(super) fn codes_to_string(c: &Call, a: &[Value]) -> Option<Value> {
    let codes = sequence::items(&c.shapes[0], &a[0])?;
    let chars: Option<String> =
        codes.iter().map(|n| big(n).to_u32().and_then(char::from_u32)).collect();
    string(chars?)
}

/// `SUB_STRING(s, from, length)`, the first character being number 1; what lies outside the string
/// is not there.
pub(super) fn sub_string(_: &Call, a: &[Value]) -> Option<Value> {
    let from: BigInt = big(&a[1]) - 1;
    let (skip, lost) = match from.is_negative() {
        true => (BigInt::zero(), -from),
        false => (from, BigInt::zero()),
    };
    let length: BigInt = (big(&a[2]) - lost).max(BigInt::zero());
    let skip = skip.to_usize().unwrap_or(usize::MAX);
    let length = length.to_usize().unwrap_or(usize::MAX);
    string(text(&a[0]).chars().skip(skip).take(length).collect())
}

pub(super) fn replace(_: &Call, a: &[Value]) -> Option<Value> {
    let (whole, old, new) = (text(&a[0]), text(&a[1]), text(&a[2]));
    if old.is_empty() {
        return Some(a[0].clone());
    }
    let times = whole.matches(old).count();
    (whole.len() + times.checked_mul(new.len())? <= LONGEST)
        .then(|| whole.replace(old, new))
        .and_then(string)
}

pub(super) fn pad_left(_: &Call, a: &[Value]) -> Option<Value> {
    let (whole, pad) = (text(&a[0]), text(&a[2]));
    let length = big(&a[1]).to_usize().filter(|n| *n <= LONGEST / 4)?;
    let mut one = pad.chars();
    let (pad, None) = (one.next()?, one.next()) else { return None };
    let missing = length.saturating_sub(whole.chars().count());
    string(std::iter::repeat_n(pad, missing).chain(whole.chars()).collect())
}

/// An optional sign and digits; blanks may stand before either.
pub(super) fn integer(s: &str) -> Option<BigInt> {
    let s = s.trim_start_matches(' ');
    let (negative, digits) = match s.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start_matches(' ')),
        None => (false, s),
    };
    let ok = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number: BigInt = ok.then(|| digits.parse().ok()).flatten()?;
    Some(if negative { -number } else { number })
}

/// An integer, a point, and digits.
pub(super) fn is_decimal(s: &str) -> bool {
    s.split_once('.').is_some_and(|(whole, fraction)| {
        integer(whole).is_some()
            && !fraction.is_empty()
            && fraction.bytes().all(|b| b.is_ascii_digit())
    })
}

/// `DEC_STRING_TO_INT("1.2", 2)` is 120; what is cut off rounds to the nearest, halves away from
/// zero.
pub(super) fn decimal_to_integer(_: &Call, a: &[Value]) -> Option<Value> {
    let s = text(&a[0]).trim();
    let (whole, fraction) = s.split_once('.').unwrap_or((s, ""));
    let exponent = big(&a[1]).to_i32().filter(|n| n.unsigned_abs() <= 10_000)?;
    let negative = whole.starts_with('-');
    // `.9` is 0.9; but without any digit there is no number.
    let unsaid = matches!(whole, "" | "-") && !fraction.is_empty();
    if !unsaid && integer(whole).is_none() || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits: BigInt = format!("{}{fraction}", whole.trim_start_matches('-')).parse().ok()?;
    let shift = exponent - i32::try_from(fraction.len()).ok()?;
    let ten = BigInt::from(10);
    let scaled = if shift >= 0 {
        digits * ten.pow(shift.unsigned_abs())
    } else {
        let unit = ten.pow(shift.unsigned_abs());
        (digits * 2 + &unit) / (unit * 2)
    };
    Some(Value::integer(if negative { -scaled } else { scaled }))
}

/// `INT_TO_DEC_STRING(1204, 2)` is `12.04`.
pub(super) fn integer_to_decimal(_: &Call, a: &[Value]) -> Option<Value> {
    let n = big(&a[0]);
    let places = big(&a[1]).to_i32().filter(|n| n.unsigned_abs() <= 10_000)?;
    let sign = if n.is_negative() { "-" } else { "" };
    let mut digits = n.abs().to_string();
    if places <= 0 {
        let zeros = if n.is_zero() { 0 } else { places.unsigned_abs() as usize };
        return string(format!("{sign}{digits}{}", "0".repeat(zeros)));
    }
    let places = places as usize;
    if digits.len() <= places {
        digits = format!("{}{digits}", "0".repeat(places + 1 - digits.len()));
    }
    let (whole, fraction) = digits.split_at(digits.len() - places);
    string(format!("{sign}{whole}.{fraction}"))
}

/// A value as text; strings without quotation marks.
pub(super) fn shown(c: &Call, ty: &Type, v: &Value) -> String {
    match v {
        Value::String(s) => s.to_string(),
        _ => c.names.show(ty, v),
    }
}

/// Each `~w`, `~p` of the format takes the next value, `~i` passes over it, `~n` is a new line, `~3n` are three of them, `~N`
/// is one unless the text is at the beginning of a line, `~~` is a tilde.
pub(super) fn format_to_string(c: &Call, a: &[Value]) -> Option<Value> {
    let items = sequence::items(&c.shapes[1], &a[1])?;
    let (_, ty) = c.types[1].relation_sides()?;
    let mut items = items.iter();
    let mut out = String::new();
    let mut format = text(&a[0]).chars();
    while let Some(ch) = format.next() {
        if ch != '~' {
            out.push(ch);
            continue;
        }
        let mut times = String::new();
        let code = loop {
            match format.next()? {
                digit if digit.is_ascii_digit() => times.push(digit),
                code => break code,
            }
        };
        let times = match times.is_empty() {
            true => 1,
            false => times.parse().ok().filter(|n| *n <= LONGEST)?,
        };
        match code {
            'w' | 'p' | 's' | 'd' => out.push_str(&shown(c, ty, items.next()?)),
            'i' => drop(items.next()?),
            'n' => out.extend(std::iter::repeat_n('\n', times)),
            'N' if out.is_empty() || out.ends_with('\n') => {}
            'N' => out.push('\n'),
            '~' => out.push('~'),
            _ => return None,
        }
    }
    string(out)
}

/// Letters with marks, and the plain ones, in the same order: of both cases, in the European alphabets.
const MARKED: &str = "ÀÁÂÃÄÅĀĂĄÇĆĈĊČĎÈÉÊËĒĔĖĘĚĜĞĠĢĤÌÍÎÏĨĪĬĮİĴĶĹĻĽÑŃŅŇÒÓÔÕÖŌŎŐŔŖŘŚŜŞŠŢŤÙÚÛÜŨŪŬŮŰŲŴÝŶŸŹŻŽ\
                      àáâãäåāăąçćĉċčďèéêëēĕėęěĝğġģĥìíîïĩīĭįĵķĺļľñńņňòóôõöōŏőŕŗřśŝşšţťùúûüũūŭůűųŵýŷÿźżž";
const PLAIN: &str = "AAAAAAAAACCCCCDEEEEEEEEEGGGGHIIIIIIIIIJKLLLNNNNOOOOOOOORRRSSSSTTUUUUUUUUUUWYYYZZZ\
                     aaaaaaaaacccccdeeeeeeeeegggghiiiiiiiijklllnnnnoooooooorrrssssttuuuuuuuuuuwyyyzzz";

/// A text whose letters have lost their marks.
pub(super) fn plain(s: &str) -> String {
    let without = |ch: char| MARKED.chars().zip(PLAIN.chars()).find(|(marked, _)| *marked == ch);
    let letter = |ch: char| match ch.is_ascii() {
        true => ch,
        false => without(ch).map_or(ch, |(_, plain)| plain),
    };
    s.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::{MARKED, PLAIN, plain};

    #[test]
    fn marks_are_taken_from_letters() {
        assert_eq!(MARKED.chars().count(), PLAIN.chars().count());
        // Of each letter with a mark and its plain one the other case are such a pair, too.
        for (marked, letter) in MARKED.chars().zip(PLAIN.chars()) {
            assert_eq!(marked.is_uppercase(), letter.is_uppercase(), "{marked} {letter}");
            let other = marked.to_lowercase().next().expect("a letter");
            assert!(
                letter
                    .eq_ignore_ascii_case(&plain(&other.to_string()).chars().next().expect("one")),
                "{marked}"
            );
        }
        assert_eq!(plain("äàöù-ÄÖ ßñç"), "aaou-AO ßnc");
    }
}
