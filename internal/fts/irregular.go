package fts

import (
	"strings"
	"sync"
)

// irregular gives the verb or noun of forms that stemming does not lead back to it:
// people ask how something is written, and what does it is called write. So it gives the
// American form of words that follow no rule of american.
var irregular = func() map[string]string {
	forms := map[string]string{}
	for line := range strings.Lines(`
begin begun began
bind bound
break broken broke
build built
catch caught
choose chosen chose
draw drawn drew
drive driven drove
fall fallen fell
feed fed
find found
forget forgotten forgot
freeze frozen froze
get got gotten
give given gave
grow grown grew
hear heard
hide hidden hid
hold held
keep kept
know known knew
lead led
lose lost
make made
mean meant
meet met
override overridden overrode
overwrite overwritten overwrote
pay paid
rebuild rebuilt
rewrite rewritten rewrote
rise risen rose
run ran
see seen saw
seek sought
send sent
show shown
shrink shrunk shrank
sleep slept
speak spoken spoke
spend spent
steal stolen stole
take taken took
tell told
throw thrown threw
understand understood
undo undone undid
wake woken woke
withdraw withdrawn withdrew
write written wrote
child children
index indices
matrix matrices
vertex vertices
analog analogue analogues
artifact artefact artefacts
catalog catalogue catalogued catalogues cataloguing
center centre centred centres centring
defense defence defences
dialog dialogue dialogues
fiber fibre fibres
gray grey greys
judgment judgement judgements
license licence licenced licences
liter litre litres
meter metre metres
offense offence offences
practice practise practised practises practising
program programme programmes
theater theatre theatres
`) {
		words := strings.Fields(line)
		for i, form := range words {
			if i > 0 {
				forms[form] = words[0]
			}
		}
	}
	return forms
}()

// Irregular are the irregular forms of words that begin with three letters, but for those
// that begin with them, too: found, for "fin".
func Irregular(begin string) []string { return irregularOf()[begin] }

var irregularOf = sync.OnceValue(func() map[string][]string {
	of := map[string][]string{}
	for form, base := range irregular {
		if form[:3] != base[:3] {
			of[base[:3]] = append(of[base[:3]], form)
		}
	}
	return of
})
