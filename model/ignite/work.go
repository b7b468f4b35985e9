package ignite

// commitStep is a step of a commit after it became COMMITTING.
type commitStep uint8

const (
	writeData commitStep = iota
	leaveMap
	complete
)

var commitSteps = [...]string{"write", "leave", "complete"}

// Own work: later steps of a node, where the rules split what the draft takes for one step.
type (
	// mark is step B of entering a cut (1.8). Step numbers its parts where scanning has steps.
	mark struct {
		Cut  cutID
		Step int
	}
	// step is the next step of a commit (1.7): write the data records, leave the active map, or
	// complete it.
	step struct {
		Object key
		What   commitStep
	}
	// logPrepared writes the TxRecord of an object that is about to be PREPARED.
	logPrepared struct{ Object key }
	// settleSide is the second step of deciding the side of a tracked object.
	settleSide struct {
		Cut   cutID
		Watch watch
	}
)

func (mark) Kind() string        { return "mark" }
func (s step) Kind() string      { return commitSteps[s.What] }
func (logPrepared) Kind() string { return "prepared" }
func (settleSide) Kind() string  { return "side" }

func (m mark) Keys() []string        { return []string{m.Cut.Name} }
func (m step) Keys() []string        { return []string{m.Object.Name, m.Object.Role.String()} }
func (m logPrepared) Keys() []string { return []string{m.Object.Name, m.Object.Role.String()} }
func (m settleSide) Keys() []string {
	return []string{m.Watch.Object.Name, m.Watch.Object.Role.String()}
}

// timeout is the timer of a primary that waits for the locks of a transaction, and of a near node
// that does.
type timeout struct{ Object key }

func (timeout) Kind() string     { return "timeout" }
func (t timeout) Keys() []string { return []string{t.Object.Name, t.Object.Role.String()} }

// AppendKeys adds them to a list.
func (t timeout) AppendKeys(list []string) []string {
	return append(list, t.Object.Name, t.Object.Role.String())
}
