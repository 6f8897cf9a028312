//! Whether everything can be read: the contrast of each role, as the accessibility guidelines for the web
//! (WCAG 2.1) measure it, on the backgrounds and with the palettes that terminals come with.

use super::{Role, Theme};
use ratatui::style::{Color, Modifier};

type Rgb = [u8; 3];

/// The first 16 colours of some terminals.
const PALETTES: &[(&str, [u32; 16])] = &[
    (
        "xterm",
        [
            0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
            0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
        ],
    ),
    (
        "VGA",
        [
            0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
            0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff,
        ],
    ),
    (
        "Windows",
        [
            0x0c0c0c, 0xc50f1f, 0x13a10e, 0xc19c00, 0x0037da, 0x881798, 0x3a96dd, 0xcccccc,
            0x767676, 0xe74856, 0x16c60c, 0xf9f1a5, 0x3b78ff, 0xb4009e, 0x61d6d6, 0xf2f2f2,
        ],
    ),
    (
        "Tango",
        [
            0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b, 0x06989a, 0xd3d7cf,
            0x555753, 0xef2929, 0x8ae234, 0xfce94f, 0x729fcf, 0xad7fa8, 0x34e2e2, 0xeeeeec,
        ],
    ),
];

/// The least contrast of a role: lines between panes are no text, and what stands beside the point may be
/// paler than the rest.
fn wanted(role: Role) -> f64 {
    use Role::*;
    match role {
        Line => 1.4,
        Dim | LineNumber | Comment | Previous | Zero | Cell | Hint => 3.5,
        _ => 4.0,
    }
}

fn channels(colour: u32) -> Rgb {
    [(colour >> 16) as u8, (colour >> 8) as u8, colour as u8]
}

/// A colour as it is on the screen.
fn rgb(colour: Color, palette: &[u32; 16]) -> Rgb {
    let basic = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    if let Some(at) = basic.iter().position(|c| *c == colour) {
        return channels(palette[at]);
    }
    match colour {
        Color::Indexed(n) if n < 16 => channels(palette[usize::from(n)]),
        Color::Indexed(n) if n < 232 => {
            let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let n = n - 16;
            [level(n / 36), level(n / 6 % 6), level(n % 6)]
        }
        Color::Indexed(n) => [8 + 10 * (n - 232); 3],
        Color::Rgb(r, g, b) => [r, g, b],
        other => panic!("{other} is no colour of its own"),
    }
}

fn luminance(colour: Rgb) -> f64 {
    let linear = colour.map(|c| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The least contrast of each role of a theme, over all palettes.
fn least(name: &str, text: Rgb, background: Rgb) -> Vec<(Role, f64)> {
    let theme = Theme::embedded(name).unwrap();
    let measured = Role::ALL.iter().map(|(role, _)| {
        let style = theme.style(*role);
        let of = |palette| {
            let fg = style.fg.map_or(text, |c| rgb(c, palette));
            let bg = style.bg.map_or(background, |c| rgb(c, palette));
            contrast(fg, bg)
        };
        let all = PALETTES.iter().map(|(_, palette)| of(palette));
        (*role, all.fold(f64::INFINITY, f64::min))
    });
    measured.collect()
}

#[test]
fn what_is_written_can_be_read() {
    let dark = [channels(0x000000), channels(0x0c0c0c)];
    let light = [channels(0xffffff), channels(0xfafafa)];
    let cases =
        [("dark", &dark[..]), ("dark-256", &dark), ("light", &light), ("light-256", &light)];
    let mut wrong = Vec::new();
    for (name, backgrounds) in cases {
        for background in backgrounds {
            let text = if name.starts_with("dark") { [0xcc; 3] } else { [0x22; 3] };
            for (role, contrast) in least(name, text, *background) {
                if contrast < wanted(role) {
                    wrong.push(format!("{name} {role:?}: {contrast:.1} on {background:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Those who see no colours, or have none, still see what is selected, where the focus is and what is wrong.
#[test]
fn what_matters_differs_from_text_without_colours() {
    for name in Theme::names() {
        let theme = Theme::embedded(name).unwrap();
        for role in [Role::Selected, Role::TitleFocused, Role::Fails, Role::Bad, Role::Changed] {
            let style = theme.style(role);
            let shape = style.add_modifier != Modifier::empty() || style.bg.is_some();
            assert!(shape, "{name} {role:?}");
        }
    }
}

#[test]
fn the_default_themes_have_no_more_than_16_colours() {
    for name in ["dark", "light"] {
        let theme = Theme::embedded(name).unwrap();
        for (role, text) in Role::ALL {
            let style = theme.style(*role);
            for colour in style.fg.iter().chain(&style.bg) {
                let fine = !matches!(colour, Color::Indexed(16..) | Color::Rgb(..));
                assert!(fine, "{name} {text}: {colour}");
            }
        }
    }
}
