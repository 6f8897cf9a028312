//! Lists that were made of the bits of a field, kept for when the same bits are read again.
//!
//! A state holds small sets, relations, functions and records in a word or in a few. Whoever needs one as a value has to make a list
//! of it, which takes an allocation for each pair; and states that follow one another have most fields in common.

use crate::value::Value;

/// Lists that are kept at one time.
const PLACES: usize = 512;

#[derive(Clone, Debug)]
struct Place {
    variable: u32,
    bits: Box<[u64]>,
    value: Value,
}

/// The lists of one layout's fields.
#[derive(Clone, Default, Debug)]
pub(super) struct Made {
    /// None before the first one.
    places: Vec<Option<Place>>,
}

impl Made {
    fn place(variable: u32, bits: &[u64]) -> usize {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |mixed: u64, bits: &u64| (mixed.rotate_left(5) ^ bits).wrapping_mul(ODD);
        let mixed = bits.iter().fold(u64::from(variable) << 58, mix);
        (mixed >> (u64::BITS - PLACES.ilog2())) as usize
    }

    /// What was made of these bits of a variable's field, if that is still there.
    pub fn get(&self, variable: u32, bits: &[u64]) -> Option<Value> {
        let place = self.places.get(Made::place(variable, bits))?.as_ref()?;
        (place.variable == variable && *place.bits == *bits).then(|| place.value.clone())
    }

    pub fn keep(&mut self, variable: u32, bits: &[u64], value: &Value) {
        if self.places.is_empty() {
            self.places.resize(PLACES, None);
        }
        let place = Place { variable, bits: bits.into(), value: value.clone() };
        self.places[Made::place(variable, bits)] = Some(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_bits_of_the_same_variable_are_found() {
        let mut made = Made::default();
        assert_eq!(made.get(0, &[0]), None);
        // Far more than there are places: what is found is right, and much is found that was kept last.
        let kept: Vec<(u32, u64)> = (0..4000).map(|i| (i as u32 % 7, i / 7 * 5)).collect();
        for (variable, bits) in &kept {
            made.keep(*variable, &[*bits], &Value::Int(*bits as i64 * 7 + i64::from(*variable)));
        }
        let mut found = 0;
        for (variable, bits) in kept.into_iter().chain([(9, 0), (0, 3)]) {
            if let Some(value) = made.get(variable, &[bits]) {
                assert_eq!(value, Value::Int(bits as i64 * 7 + i64::from(variable)));
                found += 1;
            }
        }
        assert!((PLACES / 2..=PLACES).contains(&found), "{found}");
    }
}
