const doc = document, all = (what, within) => [...within.querySelectorAll(what)], one = (...of) => all(...of)[0]

// One policy for the document, which works without it where it requires none.
let page = {createHTML: it => it, createScriptURL: it => it}
try {
	page = trustedTypes.createPolicy("page", page)
} catch (fault) {
	self.trustedTypes && console.error("Live widgets need trusted-types page: " + fault)
}
// The sentences are English unless the page has others.
const words = (root, number) => ((root.host ? one("[data-words]", root) : doc.documentElement)?.dataset.words?.split("|") ?? ["This page has ended.", "That was not taken.", "No answer"])[number]
const parse = html => doc.createRange().createContextualFragment(page.createHTML(html))

// The reader's size of text, which sheets of elements count in.
try {
	CSS.registerProperty({name: "--widget-rem", syntax: "<length>", inherits: true, initialValue: "16px"})
} catch {}

// A page in a document or a shadow root. It knows no address: `out` takes acts.
const pageIn = (root, out) => {
const {host} = root, {dataset} = host ?? doc.documentElement, sheet = new CSSStyleSheet, typed = {}, echo = {}, places = {}, stays = {}, nears = {}
let rules = {}, serial = 0, near, held, letter, part, wanted, sought, drag, before, last, pulled

const byId = id => root.getElementById(id)
const at = path => path?.split(/(?=[/^])/).reduce((it, step) =>
	it ? step == "^" ? it.parentNode : it.children[step.slice(1)] : byId(step), 0)
const slot = it => it.closest?.("[data-slot]")
const mark = it => slot(it)?.dataset.slot ?? dataset.slot ?? "a"
const key = it => it.name && mark(it) + it.name
const status = letter => byId(letter + "-s")
const note = (letter, text) => status(letter).textContent = text
const waits = name => name && (name == held || typed[name]?.serial > (echo[name[0]] ?? 0))
const draw = () => sheet.replaceSync(".page{--widget-rem:calc(1em*var(--widget-scale,1))}" + Object.keys(rules).sort().map(it => rules[it]).join(""))
// An element asks the document around it.
const ask = (kind, detail) => host?.dispatchEvent(new CustomEvent(kind, {detail, cancelable: true})) ?? 1

// An address is an id, and steps from there.
const ops = {
	s(path, values) {
		const it = at(path), name = key(it)
		for (const kind in values) {
			const value = values[kind], own = {text: "textContent", value: kind, checked: kind}[kind]
			if (!own) value == null ? it.removeAttribute(kind) : it.setAttribute(kind, value)
			else if (it[own] != (value ?? "") && !waits(name)) {
				if (own == "value" && typed[name]) typed[name].value = value ?? ""
				it[own] = value
			}
		}
	},
	r: (path, text) => at(path).replaceWith(parse(text)),
	i: (into, before, text) => at(into).insertBefore(parse(text), at(before)),
	m: (into, before, path) => at(into).insertBefore(at(path), at(before)),
	x: path => at(path).remove(),
	c(changes) {
		for (const from of [...root.styleSheets].filter(it => /\/(\w)\/\d+\.css$/.exec(it.href)?.[1] == letter).concat(out.sheet ?? []))
			for (const it of from.cssRules) if (it.selectorText in changes) it.style = ""
		for (const name in changes) rules[letter + name] = changes[name]
		draw()
	},
	w(text, title) {
		const it = one(".w", part), {id} = it, run = one("[data-run]", root)
		run?.remove()
		it.replaceWith(parse(text))
		if (title) ops.t(title)
		if (run?.contains(near[0]) || !byId(id)) near = []
		near.unshift(one("dialog button", part))
	},
	t: title => host ? ask("title", title) : doc.title = title,
	a(text) {
		one("dialog", part)?.remove()
		if (text) one(".enter", part).after(parse(text)), near.unshift(one("dialog button", part))
		all(".f>:not(button,dialog,input)", part).map(it => it.inert = text)
	},
	g: path => ask("open", path) && (location.pathname = path),
	f: id => near = [wanted = byId(id)],
	v: id => sought = id,
	e: upTo => echo[letter] = upTo,
	n({text, ...rest}) {
		if (text != null) note(letter, text)
		Object.assign(slot(part)?.dataset ?? dataset, rest)
		if ((rest.depth ?? rest.open) != null) out.visit?.()
	},
}
const top = it => it.getBoundingClientRect().top
const scrollBack = () => {
	for (const id in places) byId(id)?.scrollTop || byId(id)?.scrollTo(...places[id])
}
const change = (name, operations) => {
	letter = name
	part = status(letter).parentNode
	const old = root.activeElement, {selectionStart: caret, value} = old ?? {}, mine = (slot(part) ?? root).contains(old)
	wanted = 0
	near = one("dialog", part) && nears[letter] || []
	if (near[0]) near[0] = old
	else for (let it = old; it && it != root && it != root.body; it = it.parentNode) near.push(it, it.nextElementSibling, it.previousElementSibling)
	// A list that keeps its end stays there. Further up, the first row in sight stays where it is.
	// The place is that of the first change, so that parts of points do not add up.
	const kept = all(".ks", part).map(it => {
		const {id, scrollTop} = it, row = scrollTop < -4 && all("li", it).find(row => row.getBoundingClientRect().bottom > top(it))
		return stays[id]?.at == scrollTop ? stays[id] : stays[id] = {id, name: row?.id, place: row && top(row) - top(it)}
	})
	for (const [kind, ...rest] of operations) ops[kind](...rest)
	nears[letter] = near
	part = status(letter).parentNode
	for (const it of all("[name]", root)) {
		const name = key(it)
		if (name != held && waits(name) && typed[name].value.trim) it.value = typed[name].value
	}
	scrollBack()
	for (const stay of kept) {
		const it = byId(stay.id), row = byId(stay.name)
		if (!it) continue
		if (row) it.scrollTop += top(row) - top(it) - stay.place
		else if (stay.name) delete stays[stay.id]
		else it.scrollTop = 0
		stay.at = it.scrollTop
	}
	byId(sought)?.scrollIntoView({block: "nearest"})
	sought = 0
	const main = one(".w", part) ?? part, head = one("h1,h2,h3,h4,h5,h6", main) ?? main
	head.tabIndex = -1
	const it = (mine || wanted) && near.length && [...near, head].flatMap(it => (it = byId(it?.id) ?? it) ? [it, ...all("a,button,input", it)] : [])
		.find(it => it.checkVisibility({checkOpacity: true}) && (it.focus({preventScroll: !wanted}), it == root.activeElement))
	if (caret != null && it?.type == old.type && (it != old || it.value != value))
		it.selectionStart = it.selectionEnd = caret < value.length ? caret : 1e9
	all(".more,[data-run=view] button", root).map(it => seen.observe(it))
}

// An echo says by its serial which acts a view contains.
const say = (letter, ...event) => {
	serial = Math.max(serial + 1, Date.now())
	if (event[0] == "input") typed[letter + event[1]] = {serial, value: event[2]}
	out.act(letter, serial, event)
}
const press = it => it.value ? say(mark(it), ...JSON.parse(it.value)) : out.begin()
const seen = new IntersectionObserver(list => list.map(it => it.isIntersecting && press(it.target)))

const isMirrored = () => doc.dir == "rtl"
const unmark = () => all(".slot", root).map(it => it.classList.remove("left", "right", "drag"))

const hears = {
	submit(event) {
		const {target, submitter: it} = event
		event.preventDefault()
		if (target.matches("[data-host]")) out.arrange(new FormData(target, it))
		else it.matches(".enter") ? say(mark(it), "submit", root.activeElement?.name) : press(it)
	},
	input({target: it, isComposing}) {
		const {type, name, value} = it
		if (!name || (held = isComposing && key(it))) return
		if (type != "file") return say(mark(it), "input", name, type == "checkbox" ? it.checked : type == "radio" ? +value : value)
		out.pick(mark(it), it.form)
		it.value = ""
	},
	compositionend: event => hears.input(event),
	keydown(event) {
		const {key, target} = event, acts = target.closest(".acts")
		if (drag && key == "Escape") return hears.pointercancel()
		one({Escape: "dialog>:is(.cancel,button:only-of-type)", Delete: ".hit:focus~.del"}[key], slot(target) ?? root)?.click()
		if (!acts || !/^Arrow/.test(key)) return
		event.preventDefault()
		one(key == "ArrowUp" || key == (isMirrored() ? "ArrowRight" : "ArrowLeft") ? ".earlier" : ".later", acts)?.click()
	},
	// A finger refreshes a list by pulling it down from its top.
	touchstart({target, touches: [{clientY}]}) {
		const list = target.closest(".ls:not(.ks)")
		pulled = list && !list.scrollTop && [clientY + 80, one(".rf", list)]
	},
	touchend({changedTouches: [{clientY}]}) { clientY > pulled?.[0] && pulled[1]?.click() },
	scroll({target: it}) { places[it.id] = [it.scrollLeft, it.scrollTop] },
	load: scrollBack,
	focusin: ({target: it}) => last = it,
	focusout: () => setTimeout(() => last = root.activeElement),
	// Slots are dragged by their heads.
	pointerdown({target, button}) {
		const head = target.closest(".slots .head")
		if (head && !button && !target.closest("button")) drag = before = head.parentNode
	},
	pointermove({clientX: x, clientY: y}) {
		if (!drag) return
		const over = root.elementFromPoint(x, y)?.closest(".slot")
		unmark()
		drag.classList.add("drag")
		before = drag
		if (!over || over == drag) return
		const {left, right} = over.getBoundingClientRect(), isRight = 2 * x > left + right
		over.classList.add(isRight ? "right" : "left")
		before = isRight == isMirrored() ? over : over.nextElementSibling
	},
	pointerup() {
		const slot = drag
		hears.pointercancel()
		if (slot && before != slot && before != slot.nextElementSibling)
			out.arrange({do: "move", slot: slot.dataset.slot, before: before?.dataset.slot ?? ""})
	},
	pointercancel: () => drag = void unmark(),
}
root.adoptedStyleSheets.push(sheet)
draw()
return {
	note,
	say,
	apply(changes) { for (const name in changes) change(name, changes[name]) },
	start(signal) {
		for (const kind in hears) root.addEventListener(kind, hears[kind], {signal, capture: true})
		signal.onabort = () => seen.disconnect()
		all(".status", root).map(it => change(it.id[0], []))
	},
	forget(name) {
		rules = {}
		delete typed[name]
	},
	over(letter, text) {
		if (text) note(letter, text)
		one(".w", root).inert = true
		ask("end")
	},
	// A widget that lives on has what it has answered.
	repeat(isAll) { for (const name in typed) if (!host || isAll || waits(name)) say(name[0], "input", name.slice(1), typed[name].value) },
	// What is moved loses its scroll places and the focus.
	moved() {
		scrollBack()
		if (doc.activeElement == doc.body) last?.focus({preventScroll: true})
	},
}
}
