/* Peterson's protocol of models/peterson.mch. Where a process stands is its place; each statement between
   two labels is one operation of the machine, and one step. What blocks there does not block here: a
   process that must wait takes a step that changes nothing, as TRY does in the machine.

   spin -DPROC=5 -a peterson.pml */

byte flag[PROC];
/* Who came last to each level; 0: nobody has yet. Level 0 is not used. */
byte turn[PROC];
byte inside = 0;

#if PROC > 8
#error "there are conditions for eight processes"
#endif

/* Whether no process but this one is as high as this one. */
#define LOWER(q)  (_pid == q || flag[q] < level)

#if PROC >= 2
#define ALONE2  LOWER(0) && LOWER(1)
#else
#define ALONE2  LOWER(0)
#endif
#if PROC >= 3
#define ALONE3  ALONE2 && LOWER(2)
#else
#define ALONE3  ALONE2
#endif
#if PROC >= 4
#define ALONE4  ALONE3 && LOWER(3)
#else
#define ALONE4  ALONE3
#endif
#if PROC >= 5
#define ALONE5  ALONE4 && LOWER(4)
#else
#define ALONE5  ALONE4
#endif
#if PROC >= 6
#define ALONE6  ALONE5 && LOWER(5)
#else
#define ALONE6  ALONE5
#endif
#if PROC >= 7
#define ALONE7  ALONE6 && LOWER(6)
#else
#define ALONE7  ALONE6
#endif
#if PROC >= 8
#define ALONE  (ALONE7 && LOWER(7))
#else
#define ALONE  (ALONE7)
#endif

active [PROC] proctype process() {
	byte level = 0;
idle:
	level = 1;
climb:
	if
	:: level < PROC -> goto raise
	:: else -> goto enter
	fi;
raise:
	flag[_pid] = level;
yield:
	turn[level] = _pid + 1;
wait:
	if
	:: d_step { ALONE || turn[level] != _pid + 1 -> level = level + 1 }; goto climb
	:: else -> goto wait
	fi;
enter:
	inside = inside + 1;
critical:
	d_step { assert(inside <= 1); inside = inside - 1 };
clear:
	flag[_pid] = 0;
	goto idle
}
