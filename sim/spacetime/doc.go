// Package spacetime draws a run as Lamport drew it: a line for each node, time along the lines, an
// arrow for each message, a mark for each event. The points of a cut are joined by a line, so that
// one sees whether an arrow crosses it from after to before:
//
//	    ▾tx1  ▾tx2        tx3   tx4 ▾1 ▾tx5
//	P ──●─────●───────────●─────●───╫──●───────────
//	     ╲     ╲         ╱     ╱    ║   ╲
//	      ╲     ╲       ╱     ╱     ╚════╲═════╗
//	       ╲     ╲     ╱     ╱            ╲    ║
//	Q ──────●─────●───●─────●──────────────●───╫───
//	        tx1   tx2 ▴tx3  ▴tx4           tx5 ▴1
//
// It reads a [sim.Run] and knows no protocol: facts and messages are named by their kinds and keys,
// and Options.Point says which facts are points of a cut. It judges nothing either: that an arrow
// runs backwards over a cut is geometry.
//
// What is drawn are events, in the order of the trace. An event is one call of a machine with all
// that it did, or something that befell a node; "received" is two moments, so a step that draws its
// point before it does anything else has its arrow end after the point. What is small stays small:
// own work, timers and disks are dots of their own only where they are steps of their own.
//
// Text has two pictures. The one above, for runs that fit, says in a legend what its labels leave
// out. The other has one column a lane, one row an event, the entries of the trace before it and
// words behind it; lines that bend instead of slant; and ends without a middle where an arrow would
// be hard to follow, with the sender's entry in words:
//
//	             P       Q
//	      46-51 ═╪═══╗   │  ▾ cut 1
//	      52-58  ●──╮║   │  ▾ commit tx5: committed tx5, notify tx5 → Q
//	         62  │  │╚═══╪═ cut 1
//	59-61,63-65  │  ╰───►●  notify tx5: committed tx5
//
// SVG draws slanted lines again, in bands if the run is long, and shades what lies before a cut.
//
// # The design not taken
//
// An axis of time to scale is what the word diagram promises, and what a run of a protocol does not
// bear: a still run has no time at all, and a timed one waits a thousand times longer than it acts.
// Order is what protocols are about, so order is what the axis shows; SVG and the upright picture
// write the time beside it.
//
// A cut can always be drawn as a straight line by stretching the lanes, and is consistent if no
// arrow then runs backwards. We bend the cut instead: two cuts that cross cannot both be straight,
// and an arrow that runs backwards in time looks like a mistake of the picture.
//
// Labels are placed by trying, lines routed by cost on a grid of cells, and a picture that does not
// come out is drawn again with more room. A general graph layout would do better on a hundred nodes
// and worse on three, and it would decide by floats.
package spacetime
