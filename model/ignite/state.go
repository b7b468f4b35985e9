package ignite

// state is how far an object of a transaction is (1.3).
type state uint8

const (
	active state = iota
	suspended
	preparing
	prepared
	committing
	committed
	markedRollback
	rollingBack
	rolledBack
	unknown
)

var stateNames = [...]string{"ACTIVE", "SUSPENDED", "PREPARING", "PREPARED", "COMMITTING",
	"COMMITTED", "MARKED_ROLLBACK", "ROLLING_BACK", "ROLLED_BACK", "UNKNOWN"}

var stateWords = [...]string{"active", "suspended", "preparing", "prepared", "committing",
	"committed", "marked", "rollingback", "rolledback", "unknown"}

func (s state) String() string { return stateNames[s] }

// word is the state as patterns name it: prepared, committed, rolledback.
func (s state) word() string { return stateWords[s] }

// states is a set of states.
type states uint16

func setOf(list ...state) states {
	var s states
	for _, x := range list {
		s |= 1 << x
	}
	return s
}

func (s states) has(x state) bool { return s>>x&1 == 1 }

// from is the table of legal transitions: from which states an object may come to each (1.3).
var from = [...]states{
	active:         setOf(suspended),
	suspended:      setOf(active),
	preparing:      setOf(active),
	prepared:       setOf(preparing),
	committing:     setOf(prepared),
	committed:      setOf(committing),
	markedRollback: setOf(active, suspended, preparing, prepared),
	rollingBack:    setOf(active, suspended, markedRollback, preparing, prepared),
	rolledBack:     setOf(rollingBack),
	unknown:        setOf(committing, rollingBack),
}

// legal says that any object may go from one state to another.
func legal(was, to state) bool { return from[to].has(was) }

// finalization is who ends a transaction on a node (1.3). USER_FINISH can be taken only from NONE,
// RECOVERY_FINISH from NONE, and again and again.
type finalization uint8

const (
	nobody finalization = iota
	byUser
	byRecovery
)

var finalizationNames = [...]string{"NONE", "USER_FINISH", "RECOVERY_FINISH"}

func (f finalization) String() string { return finalizationNames[f] }

// done says that an object will not change any more.
func (s state) done() bool { return s == committed || s == rolledBack || s == unknown }
