// Shows what was published while the catalogue is open. The page works without it.
"use strict";
(() => {
	const list = document.querySelector("[data-since]");
	if (!list || !window.EventSource) return;
	const page = window.trustedTypes
		? trustedTypes.createPolicy("page", { createHTML: text => text })
		: { createHTML: text => text };
	const said = document.getElementById("said");
	let since = list.dataset.since;
	let source;
	let timer;
	// Several changes that come together are one look at the page.
	const look = () => {
		clearTimeout(timer);
		timer = setTimeout(async () => {
			const answer = await fetch(location.href, { cache: "no-cache", headers: { Accept: "text/html" } });
			if (!answer.ok) return;
			const fresh = new DOMParser().parseFromString(page.createHTML(await answer.text()), "text/html");
			const next = fresh.querySelector("[data-since]");
			const held = document.activeElement && document.activeElement.closest("[data-since] a");
			const place = held && held.getAttribute("href");
			const now = document.querySelector("[data-since]");
			if (!next || next.innerHTML === now.innerHTML) return;
			now.replaceWith(document.adoptNode(next));
			if (place) [...document.querySelectorAll("[data-since] a")].find(link => link.getAttribute("href") === place)?.focus();
			said.textContent = "The list has changed.";
		}, 150);
	};
	const open = () => {
		source = new EventSource(`${list.dataset.changes}?since=${since}`);
		source.onmessage = event => {
			since = event.lastEventId || since;
			look();
		};
	};
	// A hidden page has no connection; shown again, it catches up.
	document.addEventListener("visibilitychange", () => {
		if (source) source.close();
		source = undefined;
		if (!document.hidden) open();
	});
	if (!document.hidden) open();
})();
