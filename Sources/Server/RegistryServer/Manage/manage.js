// Drag and drop, the progress of an upload, and sliders that show their number. The pages work without it.
"use strict";
(() => {
	for (const field of document.querySelectorAll("[data-pair]")) {
		const slider = document.createElement("input");
		slider.type = "range";
		slider.min = field.min;
		slider.max = field.max;
		slider.step = 1;
		slider.value = field.value || 0;
		slider.setAttribute("aria-label", `${field.labels[0].textContent}, as a slider`);
		slider.addEventListener("input", () => { field.value = slider.value; });
		field.addEventListener("input", () => { slider.value = field.value; });
		field.after(slider);
	}
	const form = document.querySelector("form[enctype]");
	if (!form) return;
	const drop = form.querySelector(".drop");
	const file = form.querySelector("input[type=file]");
	const said = document.getElementById("said");
	const stop = event => { event.preventDefault(); drop.classList.toggle("over", event.type === "dragover"); };
	for (const type of ["dragover", "dragleave", "drop"]) drop.addEventListener(type, stop);
	drop.addEventListener("drop", event => {
		if (event.dataTransfer.files.length === 1) file.files = event.dataTransfer.files;
		else said.textContent = "Drop one archive, please.";
	});
	const page = window.trustedTypes
		? trustedTypes.createPolicy("page", { createHTML: text => text })
		: { createHTML: text => text };
	const say = (text, look = "") => { said.className = look; said.textContent = text; };
	form.addEventListener("submit", event => {
		event.preventDefault();
		const size = file.files[0] ? file.files[0].size : 0;
		if (size > Number(form.dataset.limit)) {
			return say(`The file has ${(size / 1048576).toFixed(1)} MiB, more than this registry takes. Nothing was sent.`, "note bad");
		}
		const button = form.querySelector("button");
		const bar = document.createElement("progress");
		bar.max = 1;
		bar.setAttribute("aria-label", "Upload");
		button.after(bar);
		button.disabled = true;
		say("Uploading.");
		const sent = new XMLHttpRequest();
		const end = text => { bar.remove(); button.disabled = false; say(text, "note bad"); };
		sent.upload.onprogress = event => { if (event.lengthComputable) bar.value = event.loaded / event.total; };
		sent.upload.onload = () => { bar.removeAttribute("value"); say("Checking."); };
		sent.onerror = () => end("The registry was not reached; nothing was stored.");
		sent.onload = () => {
			if (sent.status === 200 && sent.responseURL !== form.action) return location.assign(sent.responseURL);
			const answer = new DOMParser().parseFromString(page.createHTML(sent.responseText), "text/html");
			const title = answer.querySelector("h1");
			const text = answer.querySelector("[role=alert], h1 + p");
			end(`${title ? title.textContent : "Refused"}. ${text ? text.textContent.trim() : ""}`);
		};
		sent.open("POST", form.action);
		sent.send(new FormData(form));
	});
})();
