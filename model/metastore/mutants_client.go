package metastore

// clientMutants are clients that are wrong on purpose.
func clientMutants() []row {
	return []row{
		wrong("etcd", "repeats", "once", func(r *rules) { r.client.Repeats = true }).
			says("a client asks again for what may have been done, and servers do not remember"),
		wrong("etcd", "goes-back", "monotonic", func(r *rules) { r.client.GoesBack = true }).
			says("a client takes answers that are older than what it has seen"),
		wrong("etcd", "blind", "updates", func(r *rules) { r.client.Blind = true }).
			says("an update puts whatever has come since it has read"),
		wrong("etcd", "unpinned", "pages", func(r *rules) { r.client.Unpinned = true }).
			says("each page is of the revision that is current then"),
		wrong("etcd", "takes-any", "ordered", func(r *rules) { r.client.TakesAny = true }).
			says("a client takes the parcels of a watch as they come, twice and out of order"),
		wrong("etcd", "acts-by-key", "same-order", func(r *rules) { r.client.ActsByKey = true }).
			says("who attends acts on the updates that come at once in the order of their keys"),
		wrong("etcd", "balances-once", "assigned",
			func(r *rules) { r.client.BalancesOnce = true }).told("balances-once.txt").
			says("an affinity that comes too late for one baseline is not put for the next"),
		wrong("etcd", "list-gap", "follows", func(r *rules) { r.client.ListGap = true }).
			says("who follows watches from two revisions after the one that it has read"),
		wrong("etcd", "from-kept", "follows", func(r *rules) { r.client.FromKept = true }).
			told("from-kept.txt").
			says("who follows and is behind goes on with what is not forgotten, and does not read " +
				"again"),
		wrong("etcd", "asks-now", "resumable", func(r *rules) { r.client.AsksNow = true }).
			says("a watch from now that changes its server begins with now again"),
	}
}
