/* The phone book of models/phonebook_db.mch: a partial function from names to codes.

   book[n] is the code of name n, or 0 where it has none. Each option of the loop is one instance of an
   operation, and one step, so that no states lie in between. The sizes of the sets come from outside:
   spin -DName=7 -DCode=7 -a phonebook_db.pml */

#if Name > 8 || Code > 8
#error "there are options for eight names and eight codes"
#endif

byte book[Name];

#define ADD(n, c)  :: d_step { book[n] == 0 -> book[n] = c }
#define DELETE(n)  :: d_step { book[n] != 0 -> book[n] = 0 }
#define LOOKUP(n)  :: d_step { book[n] != 0 -> skip }

#define ADD1(n) ADD(n, 1)
#if Code >= 2
#define ADD2(n) ADD1(n) ADD(n, 2)
#else
#define ADD2(n) ADD1(n)
#endif
#if Code >= 3
#define ADD3(n) ADD2(n) ADD(n, 3)
#else
#define ADD3(n) ADD2(n)
#endif
#if Code >= 4
#define ADD4(n) ADD3(n) ADD(n, 4)
#else
#define ADD4(n) ADD3(n)
#endif
#if Code >= 5
#define ADD5(n) ADD4(n) ADD(n, 5)
#else
#define ADD5(n) ADD4(n)
#endif
#if Code >= 6
#define ADD6(n) ADD5(n) ADD(n, 6)
#else
#define ADD6(n) ADD5(n)
#endif
#if Code >= 7
#define ADD7(n) ADD6(n) ADD(n, 7)
#else
#define ADD7(n) ADD6(n)
#endif
#if Code >= 8
#define ALL(n) ADD7(n) ADD(n, 8) DELETE(n) LOOKUP(n)
#else
#define ALL(n) ADD7(n) DELETE(n) LOOKUP(n)
#endif

active proctype users() {
	do
	ALL(0)
#if Name >= 2
	ALL(1)
#endif
#if Name >= 3
	ALL(2)
#endif
#if Name >= 4
	ALL(3)
#endif
#if Name >= 5
	ALL(4)
#endif
#if Name >= 6
	ALL(5)
#endif
#if Name >= 7
	ALL(6)
#endif
#if Name >= 8
	ALL(7)
#endif
	od
}
