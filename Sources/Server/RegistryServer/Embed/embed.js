// A widget alone. What it says goes to the page around it, or to the app that shows it in a WebView; docs/embedding.md has the messages.
"use strict";
(() => {
	const view = document.querySelector("widget-view");
	const isFramed = parent != self;
	const app = isFramed ? undefined : globalThis.webkit?.messageHandlers?.widget ?? globalThis.widget;
	const hasApp = typeof app?.postMessage == "function";
	// As the policy of this page names them: browsers show it in the frames of no other page.
	const allowed = document.body.dataset.frames.split(" ");
	// The most requests under way, and the milliseconds that each has.
	const mostRequests = 32;
	const patience = 30_000;

	const isAllowed = from => allowed.some(one => {
		if (one == "*") return from != "null";
		if (one == "'self'") return from == origin;
		const [scheme, host] = one.split("://");
		const [ownScheme, own] = from.split("://");
		if (!host || !own || !(ownScheme == scheme || (scheme == "http" && ownScheme == "https"))) return false;
		return host.startsWith("*.") ? own.endsWith(host.slice(1)) && own.length >= host.length : own == host;
	});
	// The origin of the page around, once it has spoken.
	let heard;
	// The origins that a message is for; browsers give it to no page of another. Some do not say whose page is around.
	const receivers = () => {
		const [known] = heard ? [heard] : location.ancestorOrigins ?? [];
		if (known) return isAllowed(known) ? [known] : [];
		if (allowed.includes("*")) return ["*"];
		const named = URL.canParse(document.referrer) ? new URL(document.referrer).origin : "null";
		const exact = allowed.map(one => (one == "'self'" ? origin : one)).filter(one => !/[*']/.test(one));
		return [...new Set(isAllowed(named) ? [named, ...exact] : exact)];
	};
	const tell = message => {
		if (hasApp) app.postMessage(JSON.stringify(message));
		if (isFramed) for (const one of receivers()) parent.postMessage(message, one);
	};

	// The element's events. Those whose detail is a text have a name for it.
	const texts = { title: "title", resize: "viewport", open: "address" };
	for (const type of ["ready", "title", "resize", "open", "call", "report", "fault"]) {
		view?.addEventListener(type, ({ detail }) => tell({ ...(texts[type] ? { [texts[type]]: detail } : detail), type }));
	}
	const name = document.title;
	const identifier = decodeURIComponent(location.pathname.split("/").pop());
	// A window says whose title it has.
	const entitle = title => { document.title = isFramed || hasApp ? title : `${title} · ${identifier}`; };
	entitle(name);
	view?.addEventListener("title", ({ detail }) => entitle(detail || name));
	view?.addEventListener("open", ({ detail: address }) => {
		// With the window for itself, it is a page like others. The reader sees who wants to lead where, and decides.
		if (isFramed || hasApp || !/^https?:/i.test(address)) return;
		const bar = document.querySelector(".leaving") ?? document.createElement("p");
		const link = Object.assign(document.createElement("a"), { href: address, target: "_blank", rel: "noopener" });
		// As the browser reads it: no letter in it looks like another, or turns the text around it.
		link.textContent = link.href;
		const stay = Object.assign(document.createElement("button"), { type: "button", textContent: "Stay here", onclick: () => bar.remove() });
		bar.className = "leaving";
		bar.setAttribute("role", "status");
		bar.replaceChildren(`The widget ${identifier} leads to `, link, " ", stay);
		document.body.append(bar);
	});
	// A frame has no entries in the history of the page around it.
	if (!isFramed) view?.setAttribute("history", "");

	// Requests of the widget, which the page around or the app answers.
	const waiting = new Map();
	let last = 0;
	const content = body => {
		try {
			return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
		} catch {
			if (hasApp) throw new Error("its body is no text, and messages to apps are");
			return body.slice().buffer;
		}
	};
	const taken = ({ status, headers, body, failure }) => {
		if (failure != null) throw new Error(String(failure));
		if (body != null && typeof body != "string" && !(body instanceof ArrayBuffer) && !ArrayBuffer.isView(body)) {
			throw new Error("the body of the message answer is neither a text nor an ArrayBuffer");
		}
		try {
			return new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
		} catch (error) {
			throw new Error(`the message answer cannot be read: ${error.message}`);
		}
	};
	const ask = (url, { method, headers, body, signal }) => new Promise((done, failed) => {
		if (!isFramed && !hasApp) throw new Error("it is in no frame and in no app, one of which answers the message request");
		if (waiting.size >= mostRequests) throw new Error(`${mostRequests} others have no answer yet`);
		const request = { type: "request", number: ++last, method, url, headers: Object.fromEntries(headers) };
		if (body) request.body = content(body);
		const end = answer => {
			clearTimeout(alarm);
			if (!waiting.delete(request.number)) return;
			try {
				done(taken(answer));
			} catch (error) {
				failed(error);
			}
		};
		const alarm = setTimeout(end, patience, {
			failure: `the ${hasApp ? "app" : "page around it"} has not answered the message request within ${patience / 1000} s`,
		});
		signal?.addEventListener("abort", () => end({ failure: "the widget has ended" }));
		waiting.set(request.number, end);
		tell(request);
	});
	if (view) view.request = ask;

	addEventListener("message", ({ data, source, origin: from }) => {
		// With the window for itself, its app speaks in its name.
		if (source != parent || !(isFramed ? isAllowed(from) : from == origin)) return;
		if (isFramed) heard = from;
		if (data?.type == "back") tell({ type: "back", closed: view?.back?.() ?? false });
		if (data?.type == "answer") waiting.get(data.number)?.(data);
	});

	if (view && !isSecureContext) {
		const message = "Browsers run widgets on pages from https and from this machine alone.";
		view.replaceWith(Object.assign(document.createElement("p"), { textContent: message }));
		tell({ type: "fault", code: "insecure", message, hints: [] });
	}
	const said = document.querySelector("[data-code]");
	if (said) tell({ type: "fault", code: said.dataset.code, message: said.querySelector("p").textContent, hints: [] });
})();
