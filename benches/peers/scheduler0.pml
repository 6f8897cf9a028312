/* The scheduler of models/scheduler0.mch: where a process stands is its status.

   spin -DPROC=12 -a scheduler0.pml */

/* Whether some process is running: it follows from where they stand, so there are no more states for it. */
bool busy = false;

active [PROC] proctype process() {
absent:
	true;
idle:
	if
	:: true -> goto absent
	:: true -> goto ready
	fi;
ready:
	if
	:: d_step { !busy -> busy = true }
	fi;
running:
	busy = false;
	goto idle
}
