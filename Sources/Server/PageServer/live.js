// Keeps a page up to date, and sends what a person does.
const doc = document, html = doc.documentElement, {dataset} = html, sheet = new CSSStyleSheet, typed = {}, places = {}, nears = {}
const page = trustedTypes.createPolicy("page", {createHTML: it => it})
const all = (what, within = doc) => [...within.querySelectorAll(what)]
const one = (...of) => all(...of)[0]
const byId = id => doc.getElementById(id)
const parse = html => doc.createRange().createContextualFragment(page.createHTML(html))
let {view} = dataset, serial = 0, echo = {}, queue = [], near = [], rules = {}, busy, stream, late, held, letter, root, wanted
doc.adoptedStyleSheets = [sheet]

const at = path => path?.split(/(?=[/^])/).reduce((it, step) =>
	it ? step == "^" ? it.parentNode : it.children[step.slice(1)] : byId(step), 0)
const home = it => it.closest?.("[data-live]") ?? html
const mark = it => home(it).dataset.slot ?? "a"
const key = it => it.name && mark(it) + it.name
const status = (letter = "a") => byId(letter + "-s")
const waits = name => name && (name == held || typed[name]?.serial > (echo[name[0]] ?? 0))
const ops = {
	s(path, values) {
		const it = at(path)
		for (const name in values) {
			const value = values[name], own = {text: "textContent", value: name, checked: name}[name]
			if (!own) value == null ? it.removeAttribute(name) : it.setAttribute(name, value)
			else if (it[own] != (value ?? "") && !waits(key(it))) {
				own == "value" && typed[key(it)]?.splice(2, 1, value)
				it[own] = value
			}
		}
	},
	r: (path, text) => at(path).replaceWith(parse(text)),
	i: (into, before, text) => at(into).insertBefore(parse(text), at(before)),
	m: (into, before, path) => at(into).insertBefore(at(path), at(before)),
	x: path => at(path).remove(),
	c(changes) {
		for (const {sheet} of all("[href*='/sheet/']")) for (const it of sheet?.cssRules ?? []) if (it.selectorText in changes) it.style = ""
		for (const name in changes) rules[letter + name] = changes[name]
		sheet.replaceSync(Object.keys(rules).sort().map(it => rules[it]).join(""))
	},
	w(text, title) {
		const it = one(".w", root), {id} = it
		one("[data-run]")?.remove()
		it.replaceWith(parse(text))
		if (title) doc.title = title
		if (!byId(id)) near = [one("dialog button", root)]
	},
	t: title => doc.title = title,
	a(text) {
		one("dialog", root)?.remove()
		if (text) one(".enter", root).after(parse(text)), near.unshift(one("dialog button", root))
		all(".f>:not(button,dialog,input)", root).map(it => it.inert = text)
	},
	g: path => location.pathname = path,
	f: id => near = [wanted = byId(id)],
	e: upTo => echo[letter] = upTo,
	n({text, ...rest}) {
		if (text != null) status(letter).textContent = text
		Object.assign(home(root).dataset, rest)
	},
}
const apply = (changes, name) => {
	letter = name
	root = status(letter).parentNode
	const old = doc.activeElement, {selectionStart: caret, value} = old, mine = home(root).contains(old)
	wanted = 0
	near = one("dialog", root) && nears[letter] || []
	if (near[0]) near[0] = old
	else for (let it = old; it != doc.body && it; it = it.parentNode) near.push(it, it.nextElementSibling, it.previousElementSibling)
	for (const [letter, ...rest] of changes) ops[letter](...rest)
	nears[letter] = near
	root = status(letter).parentNode
	for (const it of all("[name]")) if (waits(key(it)) && typed[key(it)][2].trim) it.value = typed[key(it)][2]
	for (const id in places) byId(id)?.scrollTop || byId(id)?.scrollTo(...places[id])
	const main = one(".w", root) ?? root, head = one(":is(h1,h2,h3)", main) ?? main
	head.tabIndex = -1
	const it = (mine || wanted) && near.length && [...near, head].flatMap(it => (it = byId(it?.id) ?? it) ? [it, ...all("a,button:not(.enter),input", it)] : [])
		.find(it => (it.focus({preventScroll: !wanted}), it == doc.activeElement))
	if (caret != null && it?.type == old.type && (it != old || it.value != value))
		it.selectionStart = it.selectionEnd = caret < value.length ? caret : 1e9
	all(".more,[data-run=view] button").map(it => seen.observe(it))
}

const close = () => stream = stream?.close()
const alive = () => late = Date.now() + 45e3
const open = () => {
	close()
	if (!dataset.live || doc.hidden) return
	stream = new EventSource(dataset.live + "/events?after=" + view)
	stream.onmessage = it => {
		alive()
		view = it.lastEventId
		const data = JSON.parse(it.data), parts = data.map ? {a: data} : data
		for (const name in parts) apply(parts[name], name)
	}
	stream.addEventListener("b", alive)
	stream.addEventListener("o", begin)
	alive()
}
const restart = () => (view = 0, rules = {}, open())

const post = async (path, body, quiet, letter, left = 9) => {
	const answer = await fetch(path, {method: "POST", body}).catch(() => new Response("No answer", {status: 503}))
	if (!answer.ok && !quiet) {
		const text = parse(await answer.text())
		status(letter).textContent = (one("main", text) ?? text).textContent
	}
	if (!/429|5../.test(answer.status) || !left) return answer
	await new Promise(done => setTimeout(done, 2e3))
	return post(path, body, quiet, letter, left - !quiet)
}
const send = async () => {
	if (busy || !queue[0]) return
	const event = queue.shift()
	busy = 1
	const answer = await post(home(status(event.at)).dataset.live + "/actions", JSON.stringify([event.serial, [event]]), 1)
	busy = 0
	answer.status == 410 ? begin() : send()
}
const say = (letter, ...event) => {
	const [kind, name] = event
	event.at = letter
	event.serial = serial = Math.max(serial + 1, Date.now())
	if (kind == "input") {
		if (queue.at(-1) == typed[letter + name]) queue.pop()
		typed[letter + name] = event
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
	// A page with several widgets is loaded anew: what was typed is in the widgets.
	if (one("[data-slot]")) return location = answer.url
	history.replaceState(0, "", dataset.live = answer.url)
	all("[data-to]").map(it => it.href = it.dataset.to + answer.url)
	restart()
	queue = []
	for (const name in typed) say("a", ...typed[name])
}
const press = it => it.value ? say(mark(it), ...JSON.parse(it.value)) : begin()
const seen = new IntersectionObserver(list => list.map(it => it.isIntersecting && press(it.target)))

onerror = () => setTimeout(restart, 2e3)
onsubmit = ({submitter: it}) => {
	it.matches(".enter") ? say(mark(it), "submit", doc.activeElement.name) : press(it)
	return false
}
oninput = ({target: it, isComposing}) => {
	const {type, name, value} = it
	if (held = isComposing && key(it)) return
	if (type != "file") return say(mark(it), "input", name, type == "checkbox" ? it.checked : type == "radio" ? +value : value)
	post(home(it).dataset.live, new FormData(it.form), 0, mark(it))
	it.value = ""
}
onkeydown = ({key, target}) => one({Escape: "dialog>:is(.cancel,button:only-of-type)", Delete: ".hit:focus~.del"}[key], home(target))?.click()
addEventListener("compositionend", oninput)
addEventListener("scroll", ({target: it}) => places[it.id] = [it.scrollLeft, it.scrollTop], true)
setInterval(() => (stream?.readyState == 2 || Date.now() > late) && open(), 2e3)
doc.onvisibilitychange = () => setTimeout(open, doc.hidden * 2e3)
onpagehide = close
onpageshow = open
all(".status").map(it => apply([], it.id[0]))
