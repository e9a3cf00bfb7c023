// Drag and drop, the progress of an upload, and sliders that show their number. The pages work without it.
"use strict";
(() => {
	for (const field of document.querySelectorAll("[data-pair]")) {
		const slider = document.createElement("input");
		slider.type = "range";
		slider.min = field.min;
		slider.max = field.max;
		slider.step = 1;
		slider.value = field.value;
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
	form.addEventListener("submit", event => {
		event.preventDefault();
		const button = form.querySelector("button");
		const bar = document.createElement("progress");
		bar.max = 1;
		bar.setAttribute("aria-label", "Upload");
		button.after(bar);
		button.disabled = true;
		said.textContent = "Uploading.";
		const sent = new XMLHttpRequest();
		const end = text => { bar.remove(); button.disabled = false; said.textContent = text; };
		sent.upload.onprogress = event => { if (event.lengthComputable) bar.value = event.loaded / event.total; };
		sent.upload.onload = () => { bar.removeAttribute("value"); said.textContent = "Checking."; };
		sent.onerror = () => end("The registry was not reached; nothing was stored.");
		sent.onload = () => {
			if (sent.status === 200 && sent.responseURL !== form.action) return location.assign(sent.responseURL);
			const answer = new DOMParser().parseFromString(page.createHTML(sent.responseText), "text/html");
			const title = answer.querySelector("h1");
			const text = answer.querySelector("h1 + p");
			end(`${title ? title.textContent : "Refused"}. ${text ? text.textContent : ""}`);
		};
		sent.open("POST", form.action);
		sent.send(new FormData(form));
	});
})();
