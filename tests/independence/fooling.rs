//! Machines made to fool a reduction: what is found must be what the full search finds.

use crate::search::compare;

/// What is tried, and a machine that does.
const MACHINES: &[(&str, &str)] = &[
    (
        "one makes a conjunct true, and another one has to follow before the guard holds",
        "DEFINITIONS GOAL == z=1 VARIABLES x,y,z \
         INVARIANT x:0..1 & y:0..1 & z:0..2 \
         INITIALISATION x,y,z:=0,0,0 \
         OPERATIONS a = SELECT x=0 & y=0 THEN x:=1 END; \
         d = SELECT y=0 THEN y:=1 END; \
         b = SELECT x=1 & y=1 & z=0 THEN z:=1 END; \
         e = SELECT z=0 THEN z:=2 END",
    ),
    (
        "a cycle of several invisible operations",
        "VARIABLES x,w,y \
         INVARIANT x:0..3 & y:INTEGER & w:INTEGER & y<3 \
         INITIALISATION x,w,y:=0,0,0 \
         OPERATIONS t = SELECT x<3 THEN x:=x+1 END; \
         u = SELECT x=3 THEN x:=0 END; \
         v = w := 1-w; a = SELECT y<3 & x=2 THEN y:=y+1 END",
    ),
    (
        "values that ANY chooses",
        "VARIABLES s,y \
         INVARIANT s<:1..3 & y:INTEGER & not(s={1,3} & y=1) \
         INITIALISATION s,y:={},0 \
         OPERATIONS add = ANY v WHERE v:1..3 & v/:s THEN s:=s\\/{v} END; \
         rem(v)= SELECT v:s THEN s:=s-{v} END; \
         a = SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "the same as arguments",
        "DEFINITIONS SET_PREF_SHOW_EVENTB_ANY_VALUES==TRUE VARIABLES s,y,c \
         INVARIANT s<:1..3 & y:INTEGER & c:0..9 & not(c=2 & y=1) \
         INITIALISATION s,y,c:={1},0,0 \
         OPERATIONS add = ANY v WHERE v:s & c<4 THEN c:=c+1 END; \
         ins(v)= SELECT v:1..3 & v/:s THEN s:=s\\/{v} END; \
         a = SELECT y<2 & s={1,2} THEN y:=y+1 END",
    ),
    (
        "loops",
        "VARIABLES x,y,z \
         INVARIANT x:0..9 & y:0..9 & z:0..9 & not(z=3 & y=1) \
         INITIALISATION x,y,z:=0,0,0 \
         OPERATIONS w = SELECT x<3 THEN VAR i IN i:=0; WHILE i<x DO i:=i+1; z:=i \
         INVARIANT i:0..9 & z:0..9 VARIANT 9-i END; \
         x:=x+1 END END; \
         a = SELECT y<2 THEN y:=y+1 END; \
         b = SELECT y=2 THEN y := 0 END",
    ),
    (
        "sequences",
        "VARIABLES q,y \
         INVARIANT q:seq(0..2) & y:0..3 & not(q=[1,0] & y=1) \
         INITIALISATION q,y:=[],0 \
         OPERATIONS push(v) = SELECT v:0..1 & size(q)<2 THEN q:=q<-v END; \
         pop = SELECT q/=[] THEN q:=tail(q) END; \
         a = SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "points of a sequence, and an error behind one order of them",
        "VARIABLES q,y \
         INVARIANT q:seq(0..2) & y:0..3 \
         INITIALISATION q,y:=[0,0,0],0 \
         OPERATIONS set(i,v) = SELECT i:1..3 & v:0..1 & q(i)<v THEN q(i):=v END; \
         a = SELECT q=[1,0,1] THEN y:=1/0 END; \
         b= SELECT y<1 THEN y:=y+1 END",
    ),
    (
        "elements of a deferred set",
        "SETS D DEFINITIONS scope_D==3 VARIABLES s,t,y \
         INVARIANT s<:D & t<:D & y:0..3 & not(card(s)=2 & card(t)=1 & y=1) \
         INITIALISATION s,t,y:={},{},0 \
         OPERATIONS adds(d)=SELECT d:D & d/:s THEN s:=s\\/{d} END; \
         addt(d)=SELECT d:D & d:s & d/:t THEN t:=t\\/{d} END; \
         rems(d) = SELECT d:s & d/:t THEN s:=s-{d} END; \
         a = SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "points of a function of a deferred set",
        "SETS D DEFINITIONS scope_D==3 VARIABLES f,y \
         INVARIANT f:D-->0..2 & y:0..3 & not(2:ran(f) & y=0 & 0:ran(f)) \
         INITIALISATION f,y:=D*{0},0 \
         OPERATIONS inc(d)=SELECT d:D & f(d)<2 THEN f(d):=f(d)+1 END; \
         dec(d)=SELECT d:D & f(d)=2 THEN f(d):=0 END; \
         a = SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "points that come and go",
        "SETS D DEFINITIONS scope_D==3 VARIABLES f,y \
         INVARIANT f:D+->0..2 & y:0..3 \
         INITIALISATION f,y:={},0 \
         OPERATIONS new(d)=SELECT d:D & d/:dom(f) THEN f(d):=0 END; \
         inc(d)=SELECT d:D & f(d)<2 THEN f(d):=f(d)+1 END; \
         del(d)=SELECT d:dom(f) & f(d)=2 THEN f:={d}<<|f END; \
         a = SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "a goal",
        "DEFINITIONS GOAL== x=2 & y=1 VARIABLES x,y,z \
         INVARIANT x:0..3 & y:0..3 & z:0..1 \
         INITIALISATION x,y,z:=0,0,0 \
         OPERATIONS ix = SELECT x<3 THEN x:=x+1 END; \
         iy = SELECT y<3 THEN y:=y+1 END; \
         t = z:=1-z",
    ),
    (
        "a SCOPE",
        "DEFINITIONS SCOPE== x+y<3 VARIABLES x,y,z \
         INVARIANT x:0..3 & y:0..3 & z:0..1 & not(x=2 & y=0) \
         INITIALISATION x,y,z:=0,0,0 \
         OPERATIONS ix = SELECT x<3 THEN x:=x+1 END; \
         iy = SELECT y<3 THEN y:=y+1 END; \
         t = z:=1-z",
    ),
    (
        "outcomes that change nothing",
        "VARIABLES x,y \
         INVARIANT x:0..3 & y:0..3 & not(x=3 & y=1) \
         INITIALISATION x,y:=0,0 \
         OPERATIONS c = SELECT x<3 THEN CHOICE x:=x+1 OR skip END END; \
         d = SELECT y<2 THEN CHOICE y:=y+1 OR y:=0 END END; \
         dd = SELECT x=3 & y=2 THEN x,y:=0,0 END",
    ),
    (
        "a deadlock behind one outcome",
        "VARIABLES x,y \
         INVARIANT x:0..3 & y:0..3 \
         INITIALISATION x,y:=0,0 \
         OPERATIONS c = SELECT x<3 & y/=1 THEN CHOICE x:=x+1 OR x:=3 END END; \
         d = SELECT y<2 THEN y:=y+1 END; \
         e = SELECT x=1 & y=2 THEN x:=0 END",
    ),
    (
        "a body that may have no outcome",
        "VARIABLES s,x,y \
         INVARIANT s<:1..3 & x:0..3 & y:0..3 & not(x=1 & y=1) \
         INITIALISATION s,x,y:={},0,0 \
         OPERATIONS pick = BEGIN x::s END; \
         put(v)= SELECT v:1..2 & v/:s THEN s:=s\\/{v} END; \
         rem= SELECT s={1,2} THEN s:={} END; \
         c = SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "a predicate of the value before",
        "VARIABLES x,y,z \
         INVARIANT x:0..3 & y:0..3 & z:0..3 & not(x=2 & y=1) \
         INITIALISATION x,y,z:=0,0,0 \
         OPERATIONS p = BEGIN x:(x:0..3 & x>x$0 & x<=y+1) END; \
         c = SELECT y<2 THEN y:=y+1 END; \
         d = SELECT z<2 THEN z:=z+1 END",
    ),
    (
        "an assertion of the body",
        "VARIABLES x,y,z \
         INVARIANT x:0..3 & y:0..3 & z:0..3 \
         INITIALISATION x,y,z:=0,0,0 \
         OPERATIONS p = PRE x<3 THEN x:=x+1; ASSERT not(x=2 & y=1) THEN skip END END; \
         c = PRE y<2 THEN y:=y+1 END; \
         d = SELECT z<2 THEN z:=z+1 END",
    ),
    (
        "fields of a record",
        "VARIABLES r,y \
         INVARIANT r:struct(a:0..3,b:0..3) & y:0..2 & not(r'a=2 & r'b=1) \
         INITIALISATION r,y:=rec(a:0,b:0),0 \
         OPERATIONS ia=SELECT r'a<2 THEN r'a:=r'a+1 END; \
         ib=SELECT r'b<2 THEN r'b:=r'b+1 END; \
         c=SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "points of points",
        "VARIABLES f,y \
         INVARIANT f:0..1-->(0..1-->0..2) & y:0..2 & not(f(0)(1)=1 & f(1)(0)=2) \
         INITIALISATION f,y:=(0..1)*{(0..1)*{0}},0 \
         OPERATIONS i(p,q)=SELECT p:0..1 & q:0..1 & f(p)(q)<2 THEN f(p)(q):=f(p)(q)+1 END; \
         c=SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "a relation",
        "VARIABLES r,y \
         INVARIANT r:0..2<->0..2 & y:0..2 & not(r={0|->1,1|->2} & y=1) \
         INITIALISATION r,y:={},0 \
         OPERATIONS l(p,q)=SELECT p:0..1 & q:1..2 & p<q & p|->q/:r THEN r:=r\\/{p|->q} END; \
         ul(p)=SELECT p:dom(r) & card(r[{p}])=2 THEN r:={p}<<|r END; \
         c=SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "points that depend on one another",
        "VARIABLES f,y \
         INVARIANT f:0..2-->0..2 & y:0..2 & not(f(0)=1 & f(1)=0) \
         INITIALISATION f,y:=(0..2)*{0},0 \
         OPERATIONS sw(p,q)=SELECT p:0..2 & q:0..2 & f(p)/=f(q) THEN f:=f<+{p|->f(q),q|->f(p)} END; \
         i(p) = SELECT p:0..2 & f(p)=0 & y<2 THEN f(p):=1 || y:=y+1 END; \
         j(p)=SELECT p:1..2 & f(p)=1 THEN f(p):=2 END",
    ),
    (
        "branches",
        "VARIABLES x,y,z \
         INVARIANT x:0..4 & y:0..4 & z:0..4 & not(z=2) \
         INITIALISATION x,y,z:=0,0,0 \
         OPERATIONS i=SELECT x<2 THEN IF y=1 THEN x:=x+1 ELSE x:=x+2 END END; \
         j=SELECT y<2 THEN y:=y+1 END; \
         k=SELECT x=3 & z<2 THEN z:=z+1 END",
    ),
    (
        "two variables at once",
        "VARIABLES x,y,z \
         INVARIANT x:0..4 & y:0..4 & z:0..2 & not(x=1 & y=2) \
         INITIALISATION x,y,z:=1,0,0 \
         OPERATIONS i= SELECT x/=y THEN x,y:=y,x END; \
         j=SELECT y<2 THEN y:=y+1 END; \
         k=SELECT z<2 THEN z:=z+1 END",
    ),
    (
        "points that constants name",
        "CONSTANTS k,l PROPERTIES k:1..2 & l:1..2 VARIABLES f,y \
         INVARIANT f:1..2-->0..2 & y:0..2 & not(f(k)=2 & f(l)=0) \
         INITIALISATION f,y:={1|->0,2|->0},0 \
         OPERATIONS ik=SELECT f(k)<2 THEN f(k):=f(k)+1 END; \
         il=SELECT f(l)<2 THEN f(l):=f(l)+1 END; \
         c=SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "a guard that becomes undefined",
        "VARIABLES f,x,y \
         INVARIANT f:0..2+->0..2 & x:0..2 & y:0..2 \
         INITIALISATION f,x,y:={0|->0,1|->0},0,0 \
         OPERATIONS i= SELECT f(x)=0 & x<2 THEN x:=x+1 END; \
         j=SELECT y<2 THEN y:=y+1 END; \
         d=SELECT y=1 THEN f:={0}<<|f END",
    ),
    (
        "locks",
        "VARIABLES l,p,q \
         INVARIANT l<:0..1 & p:0..3 & q:0..3 \
         INITIALISATION l,p,q:={},0,0 \
         OPERATIONS p1=SELECT p=0 & 0/:l THEN p:=1||l:=l\\/{0} END; \
         p2=SELECT p=1 & 1/:l THEN p:=2||l:=l\\/{1} END; \
         p3=SELECT p=2 THEN p:=0||l:=l-{0,1} END; \
         q1=SELECT q=0 & 1/:l THEN q:=1||l:=l\\/{1} END; \
         q2=SELECT q=1 & 0/:l THEN q:=2||l:=l\\/{0} END; \
         q3=SELECT q=2 THEN q:=0||l:=l-{0,1} END",
    ),
    (
        "a conflict that is enabled late",
        "VARIABLES a,b,c,d \
         INVARIANT a:0..2&b:0..2&c:0..2&d:0..2 \
         INITIALISATION a,b,c,d:=0,0,0,0 \
         OPERATIONS oa=SELECT a=0 THEN a:=1 END; \
         ob=SELECT b=0 THEN b:=1 END; \
         oc=SELECT b=1 & c=0 THEN c:=1 END; \
         od=SELECT c=1 & a=0 THEN a:=2 END; \
         loop = SELECT a=1 THEN d:=1-d END",
    ),
    (
        "points that strings name",
        "VARIABLES f,y \
         INVARIANT f:STRING+->0..2 & y:0..2 & not(y=1 & \"a\":dom(f) & \"b\"/:dom(f)) \
         INITIALISATION f,y:={},0 \
         OPERATIONS put(s)=SELECT s:{\"a\",\"b\"} & s/:dom(f) THEN f(s):=0 END; \
         bump(s)=SELECT s:dom(f) & f(s)<1 THEN f(s):=f(s)+1 END; \
         j=SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "points that pairs name",
        "VARIABLES f,y \
         INVARIANT f:((0..1)*(0..1))-->0..1 & y:0..2 & not(f(0|->1)=1 & f(1|->0)=0 & y=1) \
         INITIALISATION f,y:=((0..1)*(0..1))*{0},0 \
         OPERATIONS up(p)=SELECT p:(0..1)*(0..1) & f(p)=0 THEN f(p):=1 END; \
         u2(a,b)=SELECT a:0..1&b:0..1&f(a|->b)=1 & y=2 THEN f(a|->b):=0 END; \
         j=SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "points that sets name",
        "VARIABLES f,y \
         INVARIANT f:POW(0..1)-->0..1 & y:0..2 & not(f({0})=1 & f({1})=0 & y=1) \
         INITIALISATION f,y:=POW(0..1)*{0},0 \
         OPERATIONS up(p)=SELECT p<:0..1 & f(p)=0 THEN f(p):=1 END; \
         one=SELECT f({0})=1 & f({})=0 THEN f({}):=1 END; \
         j=SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "two parameters that may be equal",
        "VARIABLES f,y \
         INVARIANT f:0..2-->0..3 & y:0..2 & not(f(0)=3) \
         INITIALISATION f,y:=(0..2)*{0},0 \
         OPERATIONS mv(p,q)=SELECT p:0..2&q:0..2&p/=q & f(p)>0 & f(q)<3 THEN f:=f<+{p|->f(p)-1}<+{q|->f(q)+1} END; \
         g=SELECT y<2 THEN y:=y+1||f(y):=f(y)+1 END",
    ),
    (
        "integers of more than 64 bits",
        "VARIABLES x,y \
         INVARIANT x:INTEGER & y:INTEGER & not(x=9223372036854775808 & y=1) \
         INITIALISATION x,y:=9223372036854775806,0 \
         OPERATIONS i=SELECT x<9223372036854775809 THEN x:=x+1 END; \
         j=SELECT y<2 THEN y:=y+1 END",
    ),
    (
        "one assignment after the other",
        "VARIABLES x,y,z \
         INVARIANT x:0..5&y:0..5&z:0..3 & not(x=2&z=0) \
         INITIALISATION x,y,z:=0,0,0 \
         OPERATIONS s=SELECT x<2 THEN BEGIN y:=x+1; x:=y END END; \
         j=SELECT z<2 THEN z:=z+1 END; \
         k= SELECT y<2 THEN y:=5 END",
    ),
    (
        "an element that a constant names",
        "SETS D DEFINITIONS scope_D==2 CONSTANTS d0 PROPERTIES d0:D VARIABLES f,l \
         INVARIANT f:D-->BOOL & l:0..2 & not(f(d0)=TRUE & l=1 & FALSE:ran(f)) \
         INITIALISATION f,l:=D*{FALSE},0 \
         OPERATIONS t(d)=SELECT d:D THEN f(d):=bool(f(d)=FALSE) END; \
         u=SELECT l<2 THEN l:=l+1 END; \
         v = SELECT l=2 & f(d0)=TRUE THEN l:=0 END",
    ),
    (
        "alternatives over two sets",
        "VARIABLES s,t,n \
         INVARIANT s<:0..2&t<:0..2&n:0..2 & not(s={0,2} & t={1}) \
         INITIALISATION s,t,n:={},{},0 \
         OPERATIONS a(p)=SELECT p:0..2&p/:s&p/:t THEN CHOICE s:=s\\/{p} OR t:=t\\/{p} END END; \
         clr=SELECT s\\/t=0..2 THEN s,t:={},{} END; \
         i=SELECT n<2 THEN n:=n+1 END",
    ),
];

#[test]
fn machines_made_to_fool_a_reduction() {
    for (what, clauses) in MACHINES {
        let text = format!("MACHINE M {clauses} END");
        let model = crate::model(&text).unwrap_or_else(|why| panic!("{what}: {why}"));
        let used = compare(&model).unwrap_or_else(|why| panic!("{what}: {why}\n{text}"));
        assert!(used.is_none(), "{what}: {used:?}");
    }
}
