package metastore

// serverMutants are servers that are wrong on purpose.
func serverMutants() []row {
	return []row{
		wrong("etcd", "local-reads", "real-time", func(r *rules) { r.server.LocalReads = true }).
			says("every read is served from what the server has (M17)"),
		wrong("ignite", "clock-stamps", "timestamps",
			func(r *rules) { r.server.StampsByClock = true }).
			says("commands are stamped with what the leader's clock shows (Ignite 20290)"),
		wrong("etcd", "data-behind", "same-state", func(r *rules) { r.server.DataBehind = true }).
			says("a snapshot says that it has the last command, and does not (etcd #13766)"),
		wrong("etcd", "swallows", "same-state", func(r *rules) { r.server.Swallows = true }).
			says("a command that one server fails to apply is passed over there (Ignite 23834)"),
		wrong("ignite", "evicts-alone", "same-state",
			func(r *rules) { r.server.EvictsAlone = true }).
			says("each server forgets old answers by its own clock, which makes a revision (Ignite " +
				"22819)"),
		wrong("etcd", "expires-alone", "same-state",
			func(r *rules) { r.server.ExpiresAlone = true }).
			says("each server ends leases by its own clock"),
		wrong("etcd", "alive-unchecked", "leases",
			func(r *rules) { r.server.AliveUnchecked = true }).told("alive-unchecked.txt").
			says("a lease is begun anew by who led once, without asking the others (etcd #12528)"),
		wrong("etcd", "skips-when-full", "complete",
			func(r *rules) { r.server.SkipsWhenFull = true }).
			says("a watch goes on though there was no room for what it was to be told"),
		wrong("ignite", "one-life", "not-before", func(r *rules) { r.server.OneLife = true }).
			told("one-life.txt").
			says("a client cannot tell what its server said before a crash from what it says after it"),
		wrong("ignite", "keeps-gone", "current", func(r *rules) { r.server.KeepsGone = true }).
			told("keeps-gone.txt").
			says("a server waits for a watch whose client has gone to another server, and the others " +
				"of that node with it"),
		wrong("etcd", "rewinds", "ordered", func(r *rules) { r.server.Rewinds = true }).
			says("after a snapshot a watch goes on from where it began (etcd #15271)"),
		wrong("etcd", "hurries", "bookmarks", func(r *rules) { r.server.Hurries = true }).
			told("hurries.txt").
			says("how far a watch is is said before what is still to come (etcd #15220)"),
		wrong("etcd", "splits", "whole", func(r *rules) { r.server.Splits = true }).
			says("the events of one revision come in two parcels"),
	}
}
