package metastore

// rules are what variants differ in. The zero value of each is right, but for the dialect.
type rules struct {
	Library bool // the log is that of the library that runs in production
	store   storeRules
	server  serverRules
	client  clientRules
}
