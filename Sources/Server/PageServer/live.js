// Keeps a page up to date by operations, and sends what a person does.
const doc = document, {dataset} = doc.documentElement, sheet = new CSSStyleSheet
const page = trustedTypes.createPolicy("page", {createHTML: it => it})
const all = (what, within = doc) => [...within.querySelectorAll(what)]
const one = (...of) => all(...of)[0]
const byId = id => doc.getElementById(id)
const focus = () => doc.activeElement
const parse = html => Object.assign(doc.createElement("template"), {innerHTML: page.createHTML(html)}).content
// Last serials and values of controls by name, places of lists by id.
const typed = new Map, waits = name => typed.get(name)?.[0] > echo, places = new Map
let {live, view} = dataset, serial = Date.now(), echo = 0, queue = [], rules = {}, busy, stream, alarm, lost, caret, behind
doc.adoptedStyleSheets = [sheet]

// "id/2^": an element, its child 2, and that one's parent.
const at = path => path?.split(/(?=[/^])/).reduce((it, step) =>
	it ? step == "^" ? it.parentNode : it.children[step.slice(1)] : byId(step), 0)
// Notes what gets the focus if it goes with an element.
const leave = it => {
	const old = focus()
	if (it.contains(old)) {
		lost = [old, it, it.nextElementSibling, it.parentNode.closest("[tabindex]")]
		// An element that is out of the page may have forgotten it.
		caret = [old.id, old.selectionStart, old.selectionEnd]
	}
	return it
}
const operations = {
	s(path, values) {
		const it = at(path), caret = it.selectionStart, end = it.value?.length
		for (let name in values) {
			const value = values[name]
			if (name == "text") name = it.type == "textarea" ? "value" : "textContent"
			if (!/^(value|checked|textContent)$/.test(name)) value == null ? it.removeAttribute(name) : it.setAttribute(name, value)
			else if (it[name] != (value ?? "") && !waits(it.name)) {
				// One that the widget has changed comes back too, should the viewing end.
				it.type == "radio" ? typed.delete(it.name) : typed.get(it.name)?.splice(1, 1, value)
				it[name] = value
				if (caret != null && caret < end && it == focus()) it.setSelectionRange(caret, caret)
			}
		}
	},
	r: (path, html) => leave(at(path)).replaceWith(parse(html)),
	i: (into, before, html) => at(into).insertBefore(parse(html), at(before)),
	m: (into, before, path) => ((into = at(into)).moveBefore ?? into.insertBefore).call(into, leave(at(path)), at(before)),
	x: path => leave(at(path)).remove(),
	c(changes) {
		for (const name in changes) {
			rules[name] = changes[name] ?? ""
			// The viewing's file has older ones.
			for (const {sheet} of all("[href*='/sheet/']")) for (const it of sheet?.cssRules ?? []) if (it.selectorText == name) it.style = ""
		}
		sheet.replaceSync(Object.values(rules).join(""))
	},
	w(html, title) {
		const old = leave(one("main"))
		old.replaceWith(parse(html))
		doc.title = title
		if (one("main").id != old.id) lost = [one("dialog button")]
	},
	t: title => doc.title = title,
	a(html) {
		const form = one("main form"), old = one("dialog")
		old ? old.remove() : behind = focus()
		if (html) form.firstElementChild.after(parse(html))
		for (const it of form.children) it.inert = html && !it.matches("button,dialog,input")
		lost = [one("dialog button") ?? behind]
	},
	g: path => /^\/(\w|$)/.test(path) && location.assign(path),
	f: id => lost = [byId(id)],
	e: upTo => echo = upTo,
	n({text, ...rest}) {
		if (text !== undefined) byId("a-s").textContent = text
		Object.assign(dataset, rest)
	},
}
const settle = () => {
	for (const [name, [, value]] of typed) if (waits(name) && value.trim) doc.getElementsByName(name).forEach(it => it.value = value)
	for (const [id, place] of places) {
		const it = byId(id)
		if (it && !it.scrollTop && !it.scrollLeft) it.scrollTo(...place)
	}
	if (lost) {
		const head = one("main :is(h1,h2)") ?? one("main")
		const it = lost.map(it => byId(it?.id) ?? it).flatMap(it => it ? [it, ...all("a,button:not(.enter),input", it)] : [])
			.find(it => (it.focus({preventScroll: true}), it == focus()))
		if (!it) head.tabIndex = -1, head.focus()
		else if (caret?.[1] != null && it.id == caret[0]) it.setSelectionRange(caret[1], caret[2])
	}
	lost = caret = 0
	for (const it of all(".more")) if (it.mark != (it.mark = it.value + all("li", it.parentNode).length)) seen.observe(it)
}

const wake = (act, after) => {
	clearTimeout(alarm)
	alarm = setTimeout(act, after)
}
const close = () => stream = stream?.close()
const open = () => {
	close()
	if (!live || doc.hidden) return
	const alive = () => doc.hidden || wake(open, 45e3)
	stream = new EventSource(live + "/events?after=" + view)
	stream.onmessage = ({data, lastEventId}) => {
		alive()
		view = lastEventId
		try {
			// An echo counts for the values before it.
			for (const [letter, ...rest] of JSON.parse(data).sort(([a], [b]) => (b == "e") - (a == "e"))) operations[letter]?.(...rest)
			settle()
		} catch {
			restart(live)
		}
	}
	stream.onerror = () => stream.readyState == 2 && wake(open, 2e3)
	stream.addEventListener("b", alive)
	stream.addEventListener("o", over)
	alive()
}
// After view 0 comes all of a page.
const restart = url => {
	live = dataset.live = new URL(url, location).pathname
	view = 0
	rules = {}
	history.replaceState(0, "", live)
	open()
}

// Asks again later if there is a pause to begin with.
const ask = async (path, body, pause) => {
	const answer = await fetch(path, {method: "POST", body}).catch(() => new Response("No answer", {status: 503}))
	if (!pause || answer.status < 500 && answer.status != 429) return answer
	await new Promise(done => setTimeout(done, answer.headers.get("retry-after") * 1e3 || pause))
	return ask(path, body, Math.min(2 * pause, 1e4))
}
const send = async () => {
	if (busy || !live || !queue[0]) return
	busy = live
	const batch = []
	do batch.push(queue.shift()); while (queue[0] && JSON.stringify([batch, queue[0]]).length < 2e4)
	const text = JSON.stringify([batch.at(-1).serial, batch])
	const {status} = await ask(live + "/actions", new Blob([text], {type: "application/json"}), 500)
	if (status == 410 && busy == live) over()
	busy = 0
	send()
}
const say = (...event) => {
	const [kind, name, value] = event, last = queue.at(-1)
	event.serial = ++serial
	if (kind == "input") {
		typed.set(name, [serial, value])
		if (last?.[0] == kind && last[1] == name) queue.pop()
	}
	queue.push(event)
	send()
}
const over = async () => {
	if (!live) return
	live = close()
	queue = []
	restart((await ask("/live", "", 500)).url)
	for (const [name, [, value]] of typed) say("input", name, value)
}
const tell = async answer => {
	const text = parse(await answer.text())
	byId("a-s").textContent = (one("main", text) ?? text).textContent
}
const run = async form => {
	if (busy) return
	busy = 1
	const answer = await ask(form.action)
	busy = 0
	if (!answer.ok) return tell(answer)
	leave(form).remove()
	restart(answer.url)
}
const press = it => it.value ? say(...JSON.parse(it.value)) : run(it.form ?? it)
const seen = new IntersectionObserver(list => list.map(({isIntersecting, target}) =>
	isIntersecting && (seen.unobserve(target), press(target))))

onsubmit = event => {
	const {submitter} = event
	event.preventDefault()
	submitter.matches(".enter") ? say("submit", focus().name) : press(submitter)
}
oninput = ({target: it}) => {
	const {type, name, value} = it
	if (type != "file") return say("input", name, type == "checkbox" ? it.checked : /^(ra|select)/.test(type) ? +value : value)
	const body = new FormData(it.form)
	body.set("n", view)
	ask(live, body).then(answer => answer.ok || tell(answer))
	it.value = ""
}
onkeydown = ({key, target}) => {
	if (key == "Escape") one("dialog>:is(.cancel,button:only-of-type)")?.click()
	if (key == "Delete" && target.matches(".hit")) one(":scope>.del", target.parentNode)?.click()
}
addEventListener("scroll", ({target: it}) => it.id && places.set(it.id, [it.scrollLeft, it.scrollTop]), true)
doc.onvisibilitychange = () => doc.hidden ? wake(close, 2e3) : open()
onpagehide = close
onpageshow = ({persisted}) => persisted && open()
all("[data-run]").map(it => seen.observe(it))
settle()
open()
