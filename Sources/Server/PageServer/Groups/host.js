// Sends acts on slots without leaving the page, and arranges slots by dragging their heads.
const list = document.getElementById("slots")
const act = (form, fields) => fetch(form.action, {method: "POST", redirect: "manual", body: new URLSearchParams(fields)}).catch(() => {})
let drag

addEventListener("submit", event => {
	const {target, submitter} = event
	if (!target.matches("[data-host]")) return
	event.preventDefault()
	event.stopImmediatePropagation()
	act(target, [...new FormData(target), [submitter.name, submitter.value]])
}, true)

// The slot under a pointer, and the place beside it that is nearer.
const place = ({clientX: x, clientY: y}) => {
	const over = document.elementFromPoint(x, y)?.closest(".slot")
	if (!over || over == drag.slot) return
	const {left, width} = over.getBoundingClientRect(), isRight = x > left + width / 2
	const isAfter = isRight != (getComputedStyle(list).direction == "rtl")
	return {over, before: isAfter ? over.nextElementSibling : over, name: isRight ? "right" : "left"}
}
const unmark = () => list.querySelectorAll(".left,.right").forEach(it => it.classList.remove("left", "right"))
const drop = to => {
	unmark()
	drag.slot.classList.remove("drag")
	const {slot} = drag
	drag = 0
	if (to && to.before != slot && to.before != slot.nextElementSibling)
		act(slot.querySelector("form"), {do: "move", slot: slot.dataset.slot, before: to.before?.dataset.slot ?? ""})
}
list.addEventListener("pointerdown", event => {
	const head = event.target.closest(".head")
	if (head && !event.button && !event.target.closest("button")) drag = {slot: head.parentNode, x: event.clientX, y: event.clientY}
})
addEventListener("pointermove", event => {
	if (!drag || !drag.on && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return
	drag.on = 1
	drag.slot.classList.add("drag")
	unmark()
	const to = place(event)
	to?.over.classList.add(to.name)
})
addEventListener("pointerup", event => drag && drop(drag.on && place(event)))
addEventListener("pointercancel", () => drag && drop())

addEventListener("keydown", event => {
	if (event.key == "Escape" && drag) return drop()
	const acts = event.target.closest?.(".acts"), isBack = getComputedStyle(list).direction == "rtl" ? "ArrowRight" : "ArrowLeft"
	if (!acts || !/^Arrow/.test(event.key)) return
	event.preventDefault()
	acts.querySelector([isBack, "ArrowUp"].includes(event.key) ? ".earlier" : ".later")?.click()
})
