//! Regular graphs in which a wrong rule for the cell to branch on costs exponentially many nodes.

use super::{Random, order_of};
use crate::symmetry::Order;

/// Both directions of the edges between vertices that are joined.
fn where_joined(n: u32, joined: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
    (0..n).flat_map(|u| (0..n).map(move |v| (u, v))).filter(|(u, v)| joined(*u, *v)).collect()
}

/// The order and the greatest number of nodes over several orders of the vertices.
fn worst(n: u32, edges: &[(u32, u32)]) -> (Order, u64) {
    let mut random = Random::new(n as u64);
    let (mut order, mut most) = (None, 0);
    for _ in 0..8 {
        let mut names: Vec<u32> = (0..n).collect();
        for i in (1..names.len()).rev() {
            names.swap(i, random.below(i as u64 + 1) as usize);
        }
        let renamed: Vec<(u32, u32)> =
            edges.iter().map(|(u, v)| (names[*u as usize], names[*v as usize])).collect();
        let (found, nodes) = order_of(n, &renamed);
        assert_eq!(*order.get_or_insert(found.clone()), found);
        most = most.max(nodes);
    }
    (order.unwrap(), most)
}

#[test]
fn one_component_after_the_other() {
    // The 4 x 4 rook's graph and Shrikhande's have the same parameters.
    let rook = where_joined(16, |u, v| u != v && (u / 4 == v / 4 || u % 4 == v % 4));
    let shrikhande = where_joined(16, |u, v| {
        let step = ((v / 4 + 4 - u / 4) % 4, (v % 4 + 4 - u % 4) % 4);
        matches!(step, (0, 1) | (0, 3) | (1, 0) | (3, 0) | (1, 1) | (3, 3))
    });
    let beside = |k: u32, edges: &[(u32, u32)]| -> Vec<(u32, u32)> {
        edges.iter().map(|(u, v)| (u + 16 * k, v + 16 * k)).collect()
    };
    let mixed = [rook.clone(), beside(1, &rook), beside(2, &shrikhande), beside(3, &rook)].concat();
    let (order, nodes) = worst(64, &mixed);
    assert_eq!(order, Order::Small(1152u128.pow(3) * 6 * 192));
    assert!(nodes < 2000, "{nodes}");
}

#[test]
fn the_projective_plane_of_order_five() {
    let mut points = vec![[0, 0, 1]];
    points.extend((0..5).map(|a| [0, 1, a]));
    points.extend((0..25).map(|i| [1, i / 5, i % 5]));
    let on = |p: u32, l: u32| {
        let (p, l) = (points[p as usize], points[l as usize - 31]);
        p.iter().zip(&l).map(|(a, b)| a * b).sum::<i32>() % 5 == 0
    };
    let plane =
        where_joined(62, |u, v| (u < 31 && v >= 31 && on(u, v)) || (v < 31 && u >= 31 && on(v, u)));
    let (order, nodes) = worst(62, &plane);
    // PGL(3, 5), and points exchanged with lines.
    assert_eq!(order, Order::Small(2 * 372_000));
    assert!(nodes < 200, "{nodes}");
}
