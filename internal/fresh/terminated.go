package fresh

// terminate gives each file its name as system calls want it, with a NUL at the
// end, so that looking at 50,000 files does not copy 50,000 names.
func (s *state) terminate() {
	size := 0
	for i := range s.files {
		size += len(s.files[i].name) + 1
	}
	all := make([]byte, 0, size)
	for i := range s.files {
		f := &s.files[i]
		start := len(all)
		all = append(append(all, f.name...), 0)
		f.cname = &all[start]
	}
}
