// Keeps a page up to date, and sends what a person does.
const doc = document, {dataset} = doc.documentElement, sheet = new CSSStyleSheet, typed = {}, places = {}
const page = trustedTypes.createPolicy("page", {createHTML: it => it})
const all = (what, within = doc) => [...within.querySelectorAll(what)]
const one = (...of) => all(...of)[0]
const byId = id => doc.getElementById(id)
const parse = html => doc.createRange().createContextualFragment(page.createHTML(html))
let {live, view} = dataset, serial = 0, echo = 0, queue = [], near = [], rules = {}, busy, stream, late, held
doc.adoptedStyleSheets = [sheet]

const at = path => path?.split(/(?=[/^])/).reduce((it, step) =>
	it ? step == "^" ? it.parentNode : it.children[step.slice(1)] : byId(step), 0)
const waits = name => name && name == held || typed[name]?.serial > echo
const ops = {
	s(path, values) {
		const it = at(path)
		for (const name in values) {
			const value = values[name], own = {text: "textContent", value: name, checked: name}[name]
			if (!own) value == null ? it.removeAttribute(name) : it.setAttribute(name, value)
			else if (it[own] != (value ?? "") && !waits(it.name)) {
				own == "value" && typed[it.name]?.splice(2, 1, value)
				it[own] = value
			}
		}
	},
	r: (path, html) => at(path).replaceWith(parse(html)),
	i: (into, before, html) => at(into).insertBefore(parse(html), at(before)),
	m: (into, before, path) => at(into).insertBefore(at(path), at(before)),
	x: path => at(path).remove(),
	c(changes) {
		for (const {sheet} of all("[href*='/sheet/']")) for (const it of sheet?.cssRules ?? []) if (it.selectorText in changes) it.style = ""
		Object.assign(rules, changes)
		sheet.replaceSync(Object.keys(rules).sort().map(it => rules[it]).join(""))
	},
	w(html, title) {
		const {id} = one("main")
		one("[data-run]")?.remove()
		one("main").replaceWith(parse(html))
		doc.title = title
		if (!byId(id)) near = [one("dialog button")]
	},
	t: title => doc.title = title,
	a(html) {
		one("dialog")?.remove()
		if (html) one("main .enter").after(parse(html)), near.unshift(one("dialog button"))
		all("main>form>:not(button,dialog,input)").map(it => it.inert = html)
	},
	g: path => location.pathname = path,
	f: id => near = [byId(id)],
	e: upTo => echo = upTo,
	n({text, ...rest}) {
		if (text != null) byId("a-s").textContent = text
		Object.assign(dataset, rest)
	},
}
const apply = changes => {
	const old = doc.activeElement, {selectionStart: caret, value} = old
	if (one("dialog")) near[0] = old
	else {
		near = []
		for (let it = old; it != doc.body; it = it.parentNode) near.push(it, it.nextElementSibling, it.previousElementSibling)
	}
	for (const [letter, ...rest] of changes) ops[letter](...rest)
	for (const name in typed) if (waits(name) && typed[name][2].trim) doc.getElementsByName(name).forEach(it => it.value = typed[name][2])
	for (const id in places) byId(id)?.scrollTop || byId(id)?.scrollTo(...places[id])
	const head = one("main :is(h1,h2)") ?? one("main")
	head.tabIndex = -1
	const it = near.length && [...near, head].flatMap(it => (it = byId(it?.id) ?? it) ? [it, ...all("a,button:not(.enter),input", it)] : [])
		.find(it => (it.focus({preventScroll: true}), it == doc.activeElement))
	if (caret != null && it?.type == old.type && (it != old || it.value != value))
		it.selectionStart = it.selectionEnd = caret < value.length ? caret : 1e9
	all(".more,[data-run] button").map(it => seen.observe(it))
}

const close = () => stream = stream?.close()
const alive = () => late = Date.now() + 45e3
const open = () => {
	close()
	if (!live || doc.hidden) return
	stream = new EventSource(live + "/events?after=" + view)
	stream.onmessage = it => {
		alive()
		view = it.lastEventId
		apply(JSON.parse(it.data))
	}
	stream.addEventListener("b", alive)
	stream.addEventListener("o", begin)
	alive()
}
const restart = () => (rules = {}, view = 0, open())

const post = async (path, body, quiet) => {
	const answer = await fetch(path, {method: "POST", body}).catch(() => new Response("No answer", {status: 503}))
	if (!answer.ok && !quiet) {
		const text = parse(await answer.text())
		byId("a-s").textContent = (one("main", text) ?? text).textContent
	}
	if (!/429|5../.test(answer.status)) return answer
	await new Promise(done => setTimeout(done, 2e3))
	return post(path, body, quiet)
}
const send = async () => {
	if (busy || !queue[0]) return
	const event = queue.shift()
	busy = 1
	const answer = await post(live + "/actions", JSON.stringify([event.serial, [event]]), 1)
	busy = 0
	answer.status == 410 ? begin() : send()
}
const say = (...event) => {
	const [kind, name] = event
	event.serial = serial = Math.max(serial + 1, Date.now())
	if (kind == "input") {
		if (queue.at(-1) == typed[name]) queue.pop()
		typed[name] = event
	}
	queue.push(event)
	send()
}
const begin = async () => {
	if (busy) return
	busy = 1
	const answer = await post(dataset.begin ??= one("[data-run]").action)
	busy = 0
	if (!answer.ok) return
	history.replaceState(0, "", live = answer.url)
	restart()
	queue = []
	for (const name in typed) say(...typed[name])
}
const press = it => it.value ? say(...JSON.parse(it.value)) : begin()
const seen = new IntersectionObserver(list => list.map(it => it.isIntersecting && press(it.target)))

onerror = () => setTimeout(restart, 2e3)
onsubmit = ({submitter: it}) => {
	it.matches(".enter") ? say("submit", doc.activeElement.name) : press(it)
	return false
}
oninput = ({target: it, isComposing}) => {
	const {type, name, value} = it
	if (held = isComposing && name) return
	if (type != "file") return say("input", name, type == "checkbox" ? it.checked : type == "radio" ? +value : value)
	post(live, new FormData(it.form))
	it.value = ""
}
onkeydown = ({key}) => one({Escape: "dialog>:is(.cancel,button:only-of-type)", Delete: ".hit:focus~.del"}[key])?.click()
addEventListener("compositionend", oninput)
addEventListener("scroll", ({target: it}) => places[it.id] = [it.scrollLeft, it.scrollTop], true)
setInterval(() => (stream?.readyState == 2 || Date.now() > late) && open(), 2e3)
doc.onvisibilitychange = () => setTimeout(open, doc.hidden * 2e3)
onpagehide = close
onpageshow = open
apply([])
