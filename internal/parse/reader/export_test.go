package reader

// ParseUnguarded is Parse without its guard against panics.
var ParseUnguarded = outline
