//! Moments as seconds since the beginning of 1970, and back: in UTC, so that they are the same everywhere.

use super::{Call, big, text};
use crate::value::Value;
use num_traits::ToPrimitive;

const DAY: i64 = 24 * 60 * 60;

/// The number of days since the beginning of 1970, of a date in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin with March, so that the leap day is the last of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date of a day that is so many days after the beginning of 1970: year, month, day.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

/// `TIMESTAMP(year, month, day, hour, minute, second)`.
pub(super) fn of_date(_: &Call, a: &[Value]) -> Option<Value> {
    let part =
        |i: usize, low: i64, high: i64| big(&a[i]).to_i64().filter(|n| (low..=high).contains(n));
    let (year, month, day) = (part(0, -9_999, 9_999)?, part(1, 1, 12)?, part(2, 1, 31)?);
    let seconds = part(3, 0, 23)? * 3600 + part(4, 0, 59)? * 60 + part(5, 0, 59)?;
    let days = days(year, month, day);
    (date(days) == (year, month, day)).then(|| Value::Int(days * DAY + seconds))
}

/// `TIMESTAMP_INFO("year", moment)`.
pub(super) fn part(_: &Call, a: &[Value]) -> Option<Value> {
    let seconds = big(&a[1]).to_i64().filter(|n| n.abs() < 300_000_000_000)?;
    let (year, month, day) = date(seconds.div_euclid(DAY));
    let of_day = seconds.rem_euclid(DAY);
    Some(Value::Int(match text(&a[0]) {
        "year" => year,
        "month" => month,
        "day" => day,
        "hour" => of_day / 3600,
        "minute" => of_day / 60 % 60,
        "second" => of_day % 60,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_their_numbers() {
        assert_eq!((days(1970, 1, 1), days(2000, 3, 1), days(1969, 12, 31)), (0, 11_017, -1));
        for n in (-800_000..800_000).step_by(97) {
            let (year, month, day) = date(n);
            assert_eq!(days(year, month, day), n, "{year}-{month}-{day}");
        }
    }
}
