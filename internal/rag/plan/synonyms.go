package plan

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// recent is how far back "recently" reaches.
const recent = "in the last 30 days"

const (
	things  = `(?:notes?|docs?|documents?|pages?|sections?|entries|files?)`
	written = `(?:created?|written|wrote|write|added?|made?|modif(?:ied|y)|changed?|updated?|edit(?:ed)?|touch(?:ed)?|` +
		`revised?)`
)

// A synonym is another way to say a phrase of time that dates knows.
type synonym struct {
	pattern pattern.Lazy
	means   string
}

func says(said, means string) synonym {
	return synonym{pattern.NewLazy(`(?i)\b(?:` + said + `)\b`), means}
}

// synonyms are tried in this order, each everywhere.
var synonyms = []synonym{
	says(`(?:recently|lately) (`+written+`) (`+things+`)`, `$2 $1 `+recent),
	says(`(?:the )?most recent (`+things+`)`, `latest $1`),
	says(`recent (`+things+`)`, `$1 `+recent),
	says(`(?:recently|lately) (`+written+`)`, `$1 `+recent),
	says(`(`+written+`) (?:recently|lately|of late)`, `$1 `+recent),
	says(`(?:until|till|up to) now|to date`, `until today`),
	says(`(?:since|from) the (?:beginning|start) of (?:the|this) (week|month|quarter|year)`, `since this $1`),
	says(`(?:earlier|so far|later) this (week|month|quarter|year)`, `this $1`),
	says(`no later than|not later than`, `until`),
	says(`no earlier than|not earlier than|not before`, `since`),
	says(`this (?:morning|afternoon|evening)|tonight`, `today`),
	says(`last (?:night|evening)`, `yesterday`),
	says(`(?:in|over|during|within) the (?:last|past) (?:24|twenty-four) hours`, `in the last 1 days`),
	says(`over the (last|past)`, `in the $1`),
	says(`(?:the )?(?:first|1st) quarter(?: of)?`, `q1`),
	says(`(?:the )?(?:second|2nd) quarter(?: of)?`, `q2`),
	says(`(?:the )?(?:third|3rd) quarter(?: of)?`, `q3`),
	says(`(?:the )?(?:fourth|last|4th) quarter of`, `q4`),
	says(`less than (`+number+`) (`+unit+`) (?:old|ago)`, `newer than $1 $2`),
	says(`more than (`+number+`) (`+unit+`) (?:old|ago)`, `older than $1 $2`),
	says(`dated`, `on`),
	says(
		`(yesterday|today|`+weekdays+`|(?:this|last|past|previous) (?:week|weekend|month|quarter|year))['’]s (`+
			things+`)`,
		`$2 in $1`,
	),
	feast(`christmas eve`, `december 24`),
	feast(`(?:christmas|xmas)(?: day)?`, `december 25`),
	feast(`new year(?:'s)? eve`, `december 31`),
	feast(`new year(?:'s)?(?: day)?`, `january 1`),
	feast(`hallowe'?en`, `october 31`),
	says(`(created|modified|updated|changed)(?:_at|_date|_on)?:(`+iso+`|`+year+`)`, `$1 in $2`),
	says(`untagged (`+things+`)`, `$1 without tags`),
}

// feast is a day of each year as a moment, at the end of what is asked, and not what a
// text is about: "before the Christmas tree is drawn" is no date.
func feast(names, day string) synonym {
	return synonym{
		pattern.NewLazy(`(?i)\b(before|after|since)(?: last)? ` + names + `((?: (?:19|20)\d{2})?\s*(?:$|[.,;?!]))`),
		`$1 ` + day + `$2`,
	}
}

// plainer says phrases of time as dates knows them.
func plainer(text string) string {
	for _, s := range synonyms {
		text = s.pattern().ReplaceAllString(text, s.means)
	}
	text = spelledOut(text)
	for _, t := range tongues {
		text = t.phrase().ReplaceAllStringFunc(text, t.english)
	}
	return text
}

// A tongue is a language other than English, whose words of time are known.
type tongue struct {
	phrase pattern.Lazy // of words all of which are known, and numbers
	words  map[string]string
}

// A vocabulary has words with their meaning, as "word=meaning", "_" for a space.
// Surely of time are days, units with last and this, and what follows a lead.
type vocabulary struct{ leads, articles, days, which, units, months, and string }

func newTongue(v vocabulary) tongue {
	t := tongue{words: map[string]string{}}
	either := func(list string) string {
		var words []string
		for pair := range strings.FieldsSeq(list) {
			word, means, _ := strings.Cut(strings.ReplaceAll(pair, "_", " "), "=")
			t.words[word] = means
			words = append(words, word)
		}
		return `(?:` + strings.Join(words, "|") + `)`
	}
	article, lead, day, this, unit, and := either(v.articles), either(v.leads), either(v.days), either(v.which),
		either(v.units), either(v.and)
	month := either(v.months) + `(?: (?:` + article + ` )?` + year + `)?`
	moment := `(?:` + day + `|` + this + ` ` + unit + `|` + unit + ` ` + this + `)`
	dated := `(?:` + moment + `|` + month + `|` + iso + `|` + year + `|\d{1,3} ` + unit + `)`
	t.phrase = pattern.NewLazy(`(?i)\b(?:` + lead + ` (?:` + article + ` ?)*` + dated + `(?: ` + and + ` (?:` + article +
		` )*` + dated + `)?|(?:` + article + ` ?)*` + moment + `)\b`)
	return t
}

// The tongues; Spanish before French, which would take "de 2024" out of "marzo de 2024".
var tongues = []tongue{
	newTongue(vocabulary{
		leads: `seit=since ab=since vor=before nach=after bis=until von=from vom=from im=in in=in aus=from am=on ` +
			`zwischen=between`,
		articles: `dem= der= den= des= die= das=`,
		days:     `vorgestern=the_day_before_yesterday gestern=yesterday heute=today`,
		which: `letzte=last letzten=last letzter=last letztes=last letztem=last diese=this diesem=this dieser=this ` +
			`dieses=this`,
		units: `woche=week wochen=weeks monaten=months monats=month monat=month quartal=quarter jahren=years jahres=year ` +
			`jahr=year tagen=days`,
		months: `januar=january februar=february märz=march april=april mai=may juni=june juli=july august=august ` +
			`september=september oktober=october november=november dezember=december`,
		and: `und=and bis=to`,
	}),
	newTongue(vocabulary{
		leads: `desde=since antes_de=before antes_del=before después_de=after hasta=until en=in de=from del=from ` +
			`entre=between hace=before`,
		articles: `la= el= los= las= de= del=`,
		days:     `anteayer=the_day_before_yesterday ayer=yesterday hoy=today`,
		which:    `pasada=last pasado=last última=last último=last esta=this este=this`,
		units:    `semanas=weeks semana=week meses=months mes=month trimestre=quarter años=years año=year días=days`,
		months: `enero=january febrero=february marzo=march abril=april mayo=may junio=june julio=july agosto=august ` +
			`septiembre=september octubre=october noviembre=november diciembre=december`,
		and: `y=and`,
	}),
	newTongue(vocabulary{
		leads:    `depuis=since avant=before après=after jusqu'à=until en=in de=from du=from entre=between il_y_a=before`,
		articles: `la= le= les= l'= d'= de= du=`,
		days:     `avant-hier=the_day_before_yesterday hier=yesterday aujourd'hui=today`,
		which:    `dernière=last dernier=last passée=last passé=last cette=this ce=this`,
		units: `semaines=weeks semaine=week mois=month trimestre=quarter années=years année=year ans=years an=year ` +
			`jours=days`,
		months: `janvier=january février=february mars=march avril=april mai=may juin=june juillet=july août=august ` +
			`septembre=september octobre=october novembre=november décembre=december`,
		and: `et=and`,
	}),
}

var (
	ofYearOf  = pattern.NewLazy(`\b([a-z]{3,9}) from (` + year + `)\b`)
	lastAfter = pattern.NewLazy(`\b(week|month|quarter|year) (last)\b`)
	backBy    = pattern.NewLazy(`\bbefore (\d+) (days|weeks?|months?|years?)\b`)
)

// english says a phrase in English.
func (t tongue) english(phrase string) string {
	rest, out := strings.ToLower(phrase), ""
	for rest != "" {
		word := t.longest(rest)
		means, known := t.words[word]
		if !known {
			means = word
		}
		out += " " + means
		rest = strings.TrimLeft(rest[len(word):], " ")
	}
	out = strings.Join(strings.Fields(out), " ")
	out = ofYearOf().ReplaceAllString(out, "$1 $2")
	return backBy().ReplaceAllString(lastAfter().ReplaceAllString(out, "$2 $1"), "$1 $2 ago")
}

// longest is the longest known word that a phrase begins with, else what is up to
// the next space.
func (t tongue) longest(phrase string) (longest string) {
	for word := range t.words {
		if after, ok := strings.CutPrefix(phrase, word); ok && len(word) > len(longest) &&
			(after == "" || after[0] == ' ' || strings.HasSuffix(word, "'")) {
			longest = word
		}
	}
	if longest == "" {
		longest, _, _ = strings.Cut(phrase, " ")
	}
	return longest
}
