// Keeps pages up to date over HTTP.
const isOurs = doc.currentScript?.dataset.page == ""

// Without HTTP/2 a browser has six connections: pages share three, in turns.
const seats = /^h[23]/.test(performance.getEntriesByType("navigation")[0]?.nextHopProtocol) ? 99 : 3, seated = [], waiting = []
const drop = (list, it) => list.splice(list.indexOf(it), list.includes(it))
const fill = () => {
	while (waiting[0] && seated.length < seats) {
		seated.push(waiting[0])
		waiting.shift().connect()
	}
}
const turn = () => {
	if (waiting[0] && seated[seats - 1]) {
		seated[0].rest()
		waiting.push(seated.shift())
	}
	fill()
}
const leave = it => (drop(seated, it), drop(waiting, it), fill())
// Where a person has acted comes first.
const enter = (it, isFirst) => {
	leave(it)
	waiting[isFirst ? "unshift" : "push"](it)
	isFirst ? turn() : fill()
}

// The way of a page over HTTP: its stream, its acts, and its forms.
const liveIn = root => {
const {dataset} = root.host ?? doc.documentElement, own = dataset.slot ?? "a"
const isAlone = root == doc && self == top && !one("[data-slot]", root)
let {view} = dataset, queue = [], pause = 2e3, life, stream, late, timer, busy, first, leads

const close = () => {
	seat.rest()
	leave(seat)
}
const alive = () => late = Date.now() + 45e3
const open = () => {
	close()
	if (!life || !dataset.live || doc.hidden) return
	alive()
	enter(seat)
}
const seat = {rest: () => stream = stream?.close(), connect() {
	stream = new EventSource(dataset.live + "/events?after=" + view)
	stream.onmessage = it => {
		alive()
		view = it.lastEventId
		try {
			shown.apply(JSON.parse(it.data))
			pause = 2e3
		} catch (fault) {
			console.error(fault)
			restart(pause)
			pause = Math.min(2 * pause, 64e3)
		}
	}
	stream.addEventListener("b", alive)
	stream.addEventListener("o", begin)
}}
const restart = time => {
	close()
	view = 0
	shown.forget()
	setTimeout(open, time)
}

const said = async answer => {
	const text = await answer.text(), page = /html/.test(answer.headers.get("Content-Type")) && parse(text)
	return page ? (one("main", page) ?? page).textContent : text
}
const post = async (path, body, letter, left = 9) => {
	const answer = await fetch(path, {method: "POST", body}).catch(() => new Response(words(root, 2), {status: 503}))
	if (letter && !answer.ok) shown.note(letter, await said(answer))
	if (!/429|5../.test(answer.status) || !left || !life) return answer
	await new Promise(done => setTimeout(done, 2e3))
	return post(path, body, letter, left - !!letter)
}
const send = async () => {
	if (busy || !dataset.live || !queue[0]) return
	const next = queue.shift()
	busy = 1
	const answer = await post(`${dataset.live}/${next.letter}/actions`, JSON.stringify(next.batch)), {status} = answer
	busy = 0
	if (status == 410) return begin()
	if (/429|5../.test(status)) return queue.unshift(next)
	if (status != 204) {
		// What was typed gives way to what the widget has.
		shown.forget(next.name)
		shown.note(next.letter, answer.redirected ? words(root, 1) : await said(answer))
		restart(0)
	}
	send()
}
const gone = text => {
	dataset.live = ""
	close()
	shown.over(own, text)
}
// Another page in the place of one that has ended, or of a still.
const begin = async () => {
	if (busy) return
	first ??= dataset.begin ?? one("[data-run]", root)?.action
	if (!first) return gone(words(root, 0))
	busy = 1
	const {ok, status, url} = await post(first, undefined, own)
	busy = 0
	if (status == 410 && root.host) gone()
	if (!ok) return
	// A page with several widgets is loaded anew: what was typed is in the widgets.
	if (one("[data-slot]", root)) return location = url
	dataset.live = url.split("?")[0]
	root.host || history.replaceState(0, "", url)
	queue = []
	restart(0)
	shown.repeat()
}
// The screens of a widget that has the window for itself are in the browser's history: an entry's state is how often a reader
// can go back from there. An entry whose screen is closed leads on to one that is open. Browsers refuse too many entries.
const depth = () => Math.min(dataset.depth ?? 0, 100)
const visit = () => {
	const {live, open} = dataset, now = depth()
	let {state} = history
	if (!isAlone || !live || leads) return
	const path = new URL(live + (open ? "?open=" + open : ""), location).href
	if (now < state) return leads = !history.go(now - state)
	try {
		if (state == null) history.replaceState(state = 0, "")
		while (state < now) history.pushState(++state, "", path)
		if (location.href.split("#")[0] != path) history.replaceState(state, "", path)
	} catch {}
}
const shown = pageIn(root, {
	begin,
	visit,
	act(letter, serial, event) {
		const name = event[0] == "input" && letter + event[1]
		if (name && queue.at(-1)?.name == name) queue.pop()
		queue.push({name, letter, batch: [serial, [event]]})
		waiting.includes(seat) && enter(seat, 1)
		send()
	},
	pick: (letter, form) => post(dataset.live + "/" + letter, new FormData(form), letter),
	arrange: fields => fetch(dataset.live, {method: "POST", body: new URLSearchParams(fields), redirect: "manual"}).catch(() => {}),
})
return {
	start() {
		if (life) return shown.moved()
		const {signal} = life = new AbortController
		shown.start(signal)
		doc.addEventListener("visibilitychange", () => setTimeout(open, doc.hidden * 2e3), {signal})
		addEventListener("popstate", ({state}) => {
			if (state == null || !isAlone) return
			if (!leads && state < depth()) return shown.say(own, "back", state)
			leads = 0
			visit()
		}, {signal})
		visit()
		addEventListener("pagehide", close, {signal})
		addEventListener("pageshow", open, {signal})
		timer = setInterval(() => (stream?.readyState == 2 || Date.now() > late) && open(), 2e3)
		if (doc.readyState == "complete") open()
		send()
	},
	stop() {
		life = life?.abort()
		clearInterval(timer)
		close()
	},
}
}

// Moved, an element lives on; removed, it ends until it is put back. One with a source runs by widget-view.js.
customElements.define("widget-view", class View extends HTMLElement {
static observedAttributes = ["src", "sandbox"]
#end
#live
	connectedCallback() {
		clearTimeout(this.#end)
		if (this.hasAttribute("src")) return View.local && (this.#live ??= View.local(this)).start()
		const written = one("template[shadowrootmode]", this)
		if (!this.shadowRoot && written) this.attachShadow({mode: "open"}).append(written.content)
		// A copy would be a second one of the same page.
		written?.remove()
		if (this.shadowRoot) (this.#live ??= liveIn(this.shadowRoot)).start()
	}
	attributeChangedCallback() {
		if (this.isConnected && View.local) this.#live = this.#live?.stop(), this.connectedCallback()
	}
	disconnectedCallback() { this.#end = setTimeout(() => this.#live?.stop(), 99) }
})
setInterval(turn, 3e3)
if (isOurs && one("html[data-live],body>.status~[data-run]", doc)) liveIn(doc).start()
