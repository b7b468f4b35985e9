package cli

// cutReasons are why variants of cut that are wrong break nothing in scenarios/cut/explored.txt:
// no timer fires there before all else is done, nothing fails, and there is one cut.
var cutReasons = [][2]string{
	{"answer-unsigned", "it leaves the version off its answers to a node that gathers channel " +
		"states. Nobody gathers before the end, when everybody has drawn its " +
		"point and a version tells nothing new."},
	{"signed-at-commit", "the versions of a notification's commit and of its sending differ " +
		"only when it is sent again, which takes a crash or a message that is " +
		"missed. Here all are sent at once."},
	{"restamped", "as signed-at-commit: no notification is sent again from behind a " +
		"point."},
	{"early", "it is complete once it has been told how many messages to expect. It " +
		"is told in answer to a question, which it asks at the end, when all " +
		"of them have come."},
	{"copies", "it counts copies, and no datagram is copied."},
	{"skips", "it passes over all but the newest of several cuts. There is one."},
	{"forgetful", "it forgets its version at a restart, and nobody crashes."},
	{"told-first", "what it tells before it is on the disk is lost with a crash only, " +
		"and nobody crashes. It tells everything twice, so that there are " +
		"many more states than of the others."},
	{"newcomer", "it differs in a node that joins, and none does."},
}

// pairReasons are why variants of cut that are wrong break nothing in
// scenarios/cut/explored-pair.txt: P alone is asked to commit and to cut.
var pairReasons = [][2]string{
	{"unsigned", "nothing but its own client's request makes Q draw a point, and Q is " +
		"not asked: there is no cut to be inconsistent."},
	{"answer-unsigned", "it leaves the version off its answers to a node that gathers channel " +
		"states. P alone gathers, from behind its point, and no answer could " +
		"tell it of a newer version."},
	{"copies", "a copy would have to stand in for another message that is missed. P " +
		"sends Q one notification, and none is missed once its copy has come."},
	{"twice", "it draws again when its client asks for a cut whose point a message " +
		"has drawn. P is asked once, and nobody knows of the cut before."},
	{"skips", "it passes over all but the newest of several cuts. There is one."},
	{"newcomer", "it differs in a node that joins, and none does."},
}

// commitReasons are why variants of commit that are wrong break nothing in
// scenarios/commit/small.txt.
var commitReasons = [][2]string{
	{"refuses-first", "it says no before the refusal is on the disk, and nobody refuses."},
}
