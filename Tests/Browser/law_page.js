// The law on a page: boxes as they lie, then each line of text and each control, brought into the window one after another.
// Returns {boxes, words, lines, broken}: broken are [kind, key, detail].
() => {
    const root = document.querySelector('dialog[open]') || document.querySelector('main');
    // Parts for readers of screens alone, and parts that only a focus or a pointer shows.
    const aside = '.vh, .enter, .rf, .del, .dn, option, datalist, [hidden]';
    const broken = [], words = [];
    const boxes = Object.fromEntries([...document.querySelectorAll('[id]')].map(element => {
        const typed = element.matches('input:not([type=checkbox], [type=range]), textarea');
        const box = (typed ? element.parentElement : element).getBoundingClientRect();
        return [element.id, [box.x, box.y, box.width, box.height]];
    }));
    const key = element => element.closest('[id]')?.id || element.tagName.toLowerCase();
    const shown = element => element.checkVisibility({visibilityProperty: true, opacityProperty: true}) && !element.closest(aside);
    const style = element => getComputedStyle(element);
    const scrolls = (element, way) => ['auto', 'scroll'].includes(style(element)['overflow' + way]);
    const clips = element => style(element).overflowX !== 'visible' || style(element).overflowY !== 'visible'
        || /paint|strict|content/.test(style(element).contain);

    // Scrolls what a person can scroll until a rectangle is in sight, and returns it as it lies then.
    const reveal = (element, rectangle) => {
        for (let around = element; around; around = around.parentElement) {
            const page = around === document.documentElement;
            const across = page ? around.scrollWidth > innerWidth : scrolls(around, 'X');
            const down = page ? around.scrollHeight > innerHeight : scrolls(around, 'Y');
            if (!across && !down) continue;
            const box = page ? new DOMRect(0, 0, innerWidth, innerHeight) : around.getBoundingClientRect();
            const it = rectangle();
            if (!it) return;
            // Into the middle of what is in sight of the box: bars lie over its edges.
            if (across && around.scrollWidth > around.clientWidth) {
                const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
                around.scrollLeft += (it.left + it.right - left - right) / 2;
            }
            if (down && around.scrollHeight > around.clientHeight) {
                const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
                around.scrollTop += (it.top + it.bottom - top - bottom) / 2;
            }
        }
        return rectangle();
    };
    // Why a point is not in sight, or nothing.
    const hidden = (element, x, y) => {
        if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return 'outside the window';
        for (let around = element.parentElement; around; around = around.parentElement) {
            if (!clips(around)) continue;
            const box = around.getBoundingClientRect();
            if (x < box.left || x > box.right || y < box.top || y > box.bottom) return `cut off by ${key(around)}`;
        }
    };
    const opaque = color => {
        const alpha = color.match(/^(?:rgba|color)\(.*[,/]\s*([\d.]+)\)$/);
        return color !== 'transparent' && (!alpha || Number(alpha[1]) > 0.1);
    };
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
    const painted = color => {
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    // How much a text differs from what lies below it, from the topmost down: by its strongest colour. Nothing if a picture does.
    const difference = (color, below) => {
        if (below.some(it => it.matches('img, svg') || style(it).backgroundImage !== 'none')) return;
        const scheme = style(document.querySelector('main')).colorScheme;
        const isDark = scheme === 'dark' || scheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches;
        let ground = painted(isDark ? '#121212' : 'white');
        for (const it of below.reverse()) ground = painted(style(it).backgroundColor);
        const text = painted(color);
        return Math.max(...text.map((part, place) => Math.abs(part - ground[place])));
    };
    const lines = node => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()].filter(rect => rect.width > 0 && rect.height > 0);
    };
    const holds = (rect, x, y) => x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom;
    const paints = (element, x, y) => {
        if (!element.checkVisibility({visibilityProperty: true, opacityProperty: true})) return false;
        const look = style(element);
        if (opaque(look.backgroundColor) || look.backgroundImage !== 'none') return true;
        if (element.matches('img, svg, progress, input[type=range], select')) return true;
        if (element.matches('input, textarea') && (element.value || element.placeholder)) return true;
        return [...element.childNodes].some(node => node.nodeType === 3 && lines(node).some(rect => holds(rect, x, y)));
    };

    // How many lines a text has, by the elements that have texts.
    const counts = {};
    for (const element of document.querySelectorAll('.t[id], .b[id]')) {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), tops = [];
        while (walker.nextNode()) tops.push(...lines(walker.currentNode).map(rect => Math.round(rect.bottom)));
        counts[element.id] = new Set(tops).size;
    }

    const every = new CSSStyleSheet();
    every.replaceSync('.w, .w * { pointer-events: auto !important } .w [inert] { interactivity: auto }');
    const natural = [...document.adoptedStyleSheets];

    // Texts, by what is painted over them.
    document.adoptedStyleSheets = [...natural, every];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.data.trim() && node.parentElement.matches(':not(textarea, select)') && shown(node.parentElement)) texts.push(node);
    }
    for (const node of texts) {
        const parent = node.parentElement, said = JSON.stringify(node.data.trim().slice(0, 40));
        words.push(node.data);
        const count = lines(node).length;
        if (!count) {
            broken.push(['no-size', key(parent), said]);
            continue;
        }
        // A text that its author limits to some lines, or to one, ends where these end.
        let limit;
        for (let around = parent; around && around !== root; around = around.parentElement) {
            const look = style(around);
            if (look.overflowX === 'hidden' && (look.webkitLineClamp !== 'none' || look.textOverflow === 'ellipsis')) limit = around;
            if (around.id) break;
        }
        let seen = 0;
        for (let number = 0; number < count; number++) {
            const line = () => {
                const rect = lines(node)[number];
                if (!limit || !rect) return rect;
                const box = limit.getBoundingClientRect();
                const left = Math.max(rect.left, box.left), right = Math.min(rect.right, box.right);
                const top = Math.max(rect.top, box.top), bottom = Math.min(rect.bottom, box.bottom);
                return right - left > 0.5 && bottom - top > 1 ? new DOMRect(left, top, right - left, bottom - top) : undefined;
            };
            if (!line()) continue;
            seen += 1;
            const parts = line().width > 12 ? [0.02, 0.5, 0.98] : [0.5];
            for (const part of parts) {
                const at = () => {
                    const rect = line(), x = rect.left + rect.width * part;
                    return new DOMRect(x, rect.top, 0, rect.height);
                };
                // A browser says what lies at a whole point: the next one within the line.
                const spot = reveal(parent, at), y = spot.y + spot.height / 2;
                const x = part < 0.5 ? Math.ceil(spot.x) : part > 0.5 ? Math.floor(spot.x) : spot.x;
                const why = hidden(parent, x, y);
                if (why) {
                    broken.push(['unseen-text', key(parent), `${said} line ${number + 1}, ${why}`]);
                    break;
                }
                const all = document.elementsFromPoint(x, y);
                const place = all.findIndex(it => it === parent || it.contains(parent) || parent.contains(it));
                const above = all.slice(0, place < 0 ? all.length : place).filter(it => paints(it, x, y));
                if (above.length) {
                    broken.push(['covered-text', key(parent), `${said} line ${number + 1}, by ${key(above[0])} .${above[0].className}`]);
                    break;
                }
                const differs = part === 0.5 && number === 0 ? difference(style(parent).color, all.slice(place)) : 255;
                if (differs < 32) broken.push(['faint-text', key(parent), `${said} differs from its ground by ${differs} of 255`]);
            }
        }
        if (!seen) broken.push(['cut-text', key(parent), said]);
    }

    // Controls, by what a touch meets.
    document.adoptedStyleSheets = natural;
    for (const control of root.querySelectorAll('button, a[href], input:not([type=hidden]), select, textarea')) {
        if (!shown(control) || control.closest('[inert]')) continue;
        words.push(control.value && !control.matches('button') ? control.value : '', control.placeholder || '',
            control.getAttribute('aria-label') || '');
        for (const option of control.selectedOptions || []) words.push(option.textContent);
        const label = control.closest('label'), target = label || control;
        const name = `${control.tagName.toLowerCase()}.${control.className.split(' ').pop()}`;
        let box = target.getBoundingClientRect();
        if (!box.width || !box.height) {
            broken.push(['no-size', key(control), name]);
            continue;
        }
        const inline = control.matches('a') && style(control).display === 'inline';
        if (!inline && (box.width < 23.99 || box.height < 23.99)) {
            // What is touched may be larger than what is seen.
            const spot = reveal(target, () => target.getBoundingClientRect());
            const x = spot.left + spot.width / 2, y = spot.top + spot.height / 2;
            const touched = [[0, -11.9], [0, 11.9], [-11.9, 0], [11.9, 0]].every(
                ([across, down]) => target.contains(document.elementFromPoint(x + across, y + down)));
            if (!touched) broken.push(['small', key(control), `${name} ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`]);
        }
        // What lies in a row that can be chosen takes its own touches.
        const spots = control.matches('.hit') ? [[.5, .5], [.25, .5], [.75, .5], [.1, .5], [.9, .5], [.5, .1], [.5, .9]] : [[.5, .5]];
        let why;
        for (const [across, down] of spots) {
            const at = () => {
                const rect = target.getBoundingClientRect();
                return new DOMRect(rect.left + rect.width * across, rect.top + rect.height * down, 0, 0);
            };
            const spot = reveal(target, at);
            const x = spot.x, y = spot.y;
            why = hidden(target, x, y);
            why = why && ['unseen-control', why];
            if (!why) {
                const met = document.elementFromPoint(x, y);
                if (!met || !target.contains(met)) {
                    why = ['covered-control', met ? `by ${key(met)} ${met.tagName.toLowerCase()}.${met.className}` : 'by nothing'];
                }
            }
            if (!why) break;
        }
        if (why) broken.push([why[0], key(control), `${name}, ${why[1]}`]);
    }
    for (const named of root.querySelectorAll('[aria-label], [alt], [aria-valuetext], [aria-valuenow], progress')) {
        if (!shown(named)) continue;
        for (const name of ['aria-label', 'alt', 'aria-valuetext', 'aria-valuenow', 'value']) words.push(named.getAttribute(name) || '');
    }
    // Signs that text has words for.
    for (const dots of root.querySelectorAll('.pc')) words.push(String([...dots.querySelectorAll('.dot')].findIndex(it => it.matches('.on'))));
    for (const [sign, word] of [['[role=progressbar]', 'loading'], [':disabled', 'disabled'], ['[aria-invalid=true]', 'invalid'],
        [':checked, [aria-pressed=true], [aria-selected=true], [aria-checked=true]', 'x selected on']]) {
        if ([...root.querySelectorAll(sign)].some(shown)) words.push(word);
    }
    return {boxes, words: words.join(' '), broken, lines: counts};
}
