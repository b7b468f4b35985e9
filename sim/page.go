package sim

// Page is a page of the folder results: NAME.md.
type Page struct {
	Name, Doc string
	Write     func(*Protocol) (text string, err error)
	// Figures are the pictures of the page, made of its text; nil: it has none.
	Figures func(text string) ([]Figure, error)
	// Check says by a sample what is wrong with the page as it stands, "" if nothing is; nil: the
	// page is written anew and compared.
	Check func(of *Protocol, text string) (wrong string, err error)
}

// Figure is a picture beside a page: File is its name, NAME.svg, Text what is in it.
type Figure struct{ File, Text string }
