package driver

// The collections of a scope.
const (
	DocumentsCollection = "documents"
	RecordsCollection   = "records"
)
