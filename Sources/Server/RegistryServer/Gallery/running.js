// Runs a release on its page: in the element <widget-view>, in a frame without an origin. The page shows a still without it.
"use strict";
(() => {
	const place = document.querySelector("[data-source]");
	if (!place) return;
	const part = name => document.querySelector(`[data-act=${name}]`);
	const make = (name, text, ...within) => {
		const made = document.createElement(name);
		if (text != null) made.textContent = text;
		made.append(...within);
		return made;
	};
	const parameters = ["size", "scheme", "dir", "text", "locale", "screen", "open"];
	const asked = new URLSearchParams(location.search);
	// What is usual has no name in an address of ours, and may have one in another.
	const usual = { size: "phone", text: "L" };
	const valueOf = name => (asked.get(name) === usual[name] ? "" : asked.get(name) ?? "");
	const choice = Object.fromEntries(parameters.map(name => [name, valueOf(name)]));
	const frame = place.closest(".device, .alone");
	const said = part("said"), run = part("run"), log = part("log"), inspector = part("inspector");
	const still = place.querySelector(".screen, .empty");
	let view, count = 0;

	const say = text => { said.textContent = text; };
	const note = (kind, text) => {
		if (count === 200) log.querySelector("li").remove();
		else count++;
		log.querySelector("ol").append(make("li", null, make("span", kind), ` ${text}`));
		log.querySelector("li:last-child span").className = "chip";
		log.hidden = false;
	};
	const answers = () => document.querySelector("[name=answers]:checked")?.value ?? "stubs";

	// The place of the widget, which changes while it runs.
	const dress = () => {
		const attributes = { scheme: choice.scheme, dir: choice.dir, "text-size": choice.text };
		for (const name in attributes) {
			if (attributes[name]) view.setAttribute(name, attributes[name]);
			else view.removeAttribute(name);
		}
	};
	const begin = () => {
		view?.remove();
		log.querySelector("ol").replaceChildren();
		log.hidden = true;
		count = 0;
		view = document.createElement("widget-view");
		const isAsking = answers() === "servers";
		const attributes = {
			sandbox: "", keep: "page", src: place.dataset.source, locale: choice.locale.replaceAll("_", "-"), screen: choice.screen, link: choice.open,
			"aria-label": place.dataset.title, grant: isAsking ? place.dataset.servers : "",
		};
		for (const name in attributes) if (attributes[name] || name === "sandbox") view.setAttribute(name, attributes[name]);
		if (!isAsking) view.setAttribute("stubs", "");
		dress();
		const own = view;
		const on = (kind, act) => own.addEventListener(kind, event => own === view && act(event.detail));
		on("ready", () => {
			still.classList.add("waiting");
			part("inexact")?.setAttribute("hidden", "");
			view.classList.remove("waiting");
			say(isAsking ? "It runs in your browser, which asks its servers." : "It runs in your browser. No request of it leaves this page.");
			if (document.activeElement === document.body) view.shadowRoot.querySelector("iframe")?.focus();
			if (asked.has("inspect") || !inspector.hidden) inspect();
		});
		on("title", title => { view.shadowRoot.querySelector("iframe")?.setAttribute("title", `${place.dataset.title}: ${title}`); });
		on("open", address => note("open", address));
		on("call", call => note("call", [call.name, call.target, call.selector, call.list].filter(Boolean).join(" ")));
		on("report", ({ code, message }) => {
			note(code, message);
			if (code === "request" && !isAsking) say("A request was not sent: no stub service answers it. Its servers can, if you choose them below.");
		});
		on("fault", ({ code, message }) => {
			note(code, message);
			say(message);
			still.classList.remove("waiting");
			part("inexact")?.removeAttribute("hidden");
			view.classList.add("waiting");
			run.textContent = "Run again";
			run.hidden = run.disabled = false;
		});
		view.classList.add("waiting");
		place.append(view);
		say("Starting …");
	};

	// What the widget is made of, in its own words: texts alone.
	const list = lines => make("ul", null, ...lines.map(line => make("li", null, make("code", line))));
	const table = (heads, rows) => {
		const made = make("table", null,
			make("thead", null, make("tr", null, ...heads.map(head => Object.assign(make("th", head), { scope: "col" })))),
			make("tbody", null, ...rows.map(([head, ...cells]) => make("tr", null, Object.assign(make("th", head), { scope: "row" }),
				...cells.map(cell => (cell instanceof Node ? make("td", null, cell) : make("td", `${cell}`)))))));
		made.className = "fold";
		return made;
	};
	const round = number => Math.round(number * 10) / 10;
	const element = ({ depth, kind, key, name, frame, place: written, events, rules, values }) => {
		const size = frame && `${round(frame[2])} × ${round(frame[3])}`;
		const facts = [["Key", key], ["Written at", written], ["Takes", events.join(", ")],
			["Place", frame && `${round(frame[0])} from the left, ${round(frame[1])} from the top, ${size}`]];
		const made = make("details", null, make("summary", [kind, name, size].filter(Boolean).join(" ")),
			Object.assign(make("dl", null, ...facts.filter(([, text]) => text).flatMap(([name, text]) => [make("dt", name), make("dd", text)])),
				{ className: "facts" }));
		if (rules.length) made.append(make("p", "Rules"), list(rules));
		if (values.length) {
			made.append(table(["Value", "Is", "Why"], values.map(({ name, value, why, place, inputs = [] }) =>
				[name, value ?? "not shown", make("div", [why, place].filter(Boolean).join(" "), ...(inputs.length ? [list(inputs)] : []))])));
		}
		return Object.assign(make("li", null, made), { className: `level-${Math.min(depth, 8)}` });
	};
	// The present, or an earlier moment of the widget, which runs on all the same.
	const inspect = async (moment, step) => {
		const found = await view?.inspect(moment).catch(() => undefined);
		part("inspect").setAttribute("aria-expanded", "true");
		inspector.hidden = false;
		if (!found) return inspector.replaceChildren(make("p", "The widget does not run."));
		const parts = [];
		const section = (title, ...within) => parts.push(make("section", null, make("h3", title), ...within));
		const { timeline } = found, at = timeline.findIndex(({ number }) => number === found.moment);
		const button = (title, leads, isOff) => Object.assign(make("button", title),
			{ className: "quiet", type: "button", disabled: isOff, onclick: () => inspect(leads, title) });
		const steps = [button("Look again"), button("Step back", timeline[at - 1]?.number, at < 1),
			button("Step on", timeline[at + 1]?.number, at < 0 || at + 1 === timeline.length)];
		const when = found.isPresent ? "as it is now" : `as it was after “${timeline[at]?.event}”`;
		parts.push(make("h2", found.title || found.screen), make("p", `The screen ${found.screen}, ${when}.`),
			Object.assign(make("p", null, ...steps), { className: "row" }));
		if (found.findings.length) section("Findings", make("ul", null, ...found.findings.map(text => make("li", text))));
		const shown = found.elements.length < found.elementCount ? `The first ${found.elements.length} of ${found.elementCount}.` : "";
		section("Elements", make("p", shown), Object.assign(make("ol", null, ...found.elements.map(element)), { className: "tree" }));
		if (found.hidden.length) {
			section("Hidden", table(["Element", "Why"], found.hidden.map(({ name, why, place, inputs = [] }) =>
				[name, make("div", [why, place].filter(Boolean).join(" "), ...(inputs.length ? [list(inputs)] : []))])));
		}
		if (found.states.length) section("States", table(["Name", "Is a", "Value"], found.states.map(({ name, kind, value }) => [name, kind, value])));
		if (found.records.length) {
			section("Records", make("p", found.records.length < found.recordCount ? `The last ${found.records.length} of ${found.recordCount}.` : ""),
				table(["Record", "Values"], found.records.map(({ name, values }) => [name, list(values)])));
		}
		if (found.requests.length) {
			section("Requests", table(["Action", "Request", "Status", "Answer"], found.requests.map(({ action, method, address, status, answer }) =>
				[action, `${method} ${address}`, status, answer])));
		}
		section("Timeline", Object.assign(make("ol", null, ...timeline.map(({ event, secondsAgo }, place) => {
			const made = make("li", `${event}, ${round(secondsAgo)} s ago`);
			if (place === at) made.setAttribute("aria-current", "step");
			return made;
		})), { className: "plain small" }));
		section("Budgets", table(["Of", "Used", "Limit"], found.budgets.map(({ name, used, limit }) => [name, used, limit])));
		section("Log", Object.assign(make("ol", null, ...found.log.map(({ kind, text }) => make("li", `${kind} ${text}`))), { className: "plain small" }));
		inspector.replaceChildren(...parts);
		// A reader who steps stays at the button.
		(steps.find(({ textContent, disabled }) => textContent === step && !disabled) ?? inspector).focus();
	};

	// Links of choices change a widget that runs, and lead to another page of one that does not.
	const query = (...without) => {
		const pairs = parameters.filter(name => choice[name] && !without.includes(name)).map(name => `${name}=${encodeURIComponent(choice[name])}`);
		return pairs.length ? `?${pairs.join("&")}` : "";
	};
	const links = [...document.querySelectorAll("[data-choice] a")];
	const nameOf = link => link.closest("[data-choice]").dataset.choice;
	const addresses = () => {
		for (const link of links) {
			const name = nameOf(link), own = choice[name];
			choice[name] = link.dataset.value;
			link.href = `${location.pathname}${query()}#live`;
			choice[name] = own;
			if (link.dataset.value === own) link.setAttribute("aria-current", "true");
			else link.removeAttribute("aria-current");
		}
		const alone = part("alone");
		if (!alone) return;
		alone.href = alone.pathname + query("size");
		alone.parentElement.hidden = alone.href === location.href.split("#")[0];
	};
	for (const link of links) {
		link.addEventListener("click", event => {
			if (!view || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
			event.preventDefault();
			const name = nameOf(link);
			choice[name] = link.dataset.value;
			history.replaceState(history.state, "", `${location.pathname}${query()}`);
			addresses();
			if (name === "size") frame.className = ["device", choice.size].join(" ").trim();
			else if (name === "locale") begin();
			else dress();
		});
	}
	addresses();

	run.addEventListener("click", () => {
		run.hidden = true;
		for (const shown of [part("buttons"), part("network")]) shown?.removeAttribute("hidden");
		part("ways")?.remove();
		begin();
	});
	part("again").addEventListener("click", begin);
	part("inspect").setAttribute("aria-expanded", "false");
	part("inspect").addEventListener("click", () => {
		if (inspector.hidden) return inspect();
		inspector.hidden = true;
		part("inspect").setAttribute("aria-expanded", "false");
	});
	for (const field of document.querySelectorAll("[name=answers]")) field.addEventListener("change", begin);
	// The element's script is a module, and comes when it comes.
	if (!isSecureContext) {
		say("A still. Browsers run widgets on pages from https and from this machine alone.");
		return;
	}
	customElements.whenDefined("widget-view").then(() => {
		run.hidden = false;
		say("A still. Run starts the widget in your browser.");
	});
})();
