// The element: its widget runs here, or in a frame without an origin.

/** What a frame may ask of the page around it. */
const asked = ['find', 'keep', 'carry', 'confirm', 'reject', 'visit', 'engine']
const toldKinds = ['ready', 'resize', 'title', 'open', 'call', 'report', 'fault']
/** Milliseconds that a frame may take to say something. */
const framePatience = { load: 15_000, begin: 4_000 }
const frameSheet = sheetOf('html,body{margin:0;height:100%}widget-view{height:100%;max-height:none}')
const outerSheet = sheetOf(':host{display:block;position:relative;height:40em;max-height:100dvh}'
  + 'iframe{border:0;display:block;width:100%;height:100%}.wait{position:absolute;inset:0;opacity:0;pointer-events:none}')

/** A widget in a frame, which gets all that it needs by messages. */
class FramedView {
  constructor(host, outside) {
    Object.assign(this, { host, outside })
    this.root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    this.looks = []
    this.empty()
  }

  /** What the page has put into the element shows. */
  empty() {
    for (const done of this.looks) done()
    this.root.adoptedStyleSheets = [outerSheet]
    this.root.replaceChildren(document.createElement('slot'))
  }

  start() {
    // A frame that is moved is loaded anew.
    if (this.life) return this.frame && this.begin()
    this.life = new AbortController()
    this.outside.listen(this.life.signal)
    const attributes = new MutationObserver((changes) => {
      if (!this.frame) return
      if (changes.some(({ attributeName: name }) => !placeNames.includes(name))) this.begin()
      else this.port?.postMessage({ attributes: this.attributes() })
    })
    attributes.observe(this.host, { attributes: true, attributeFilter: attributeNames.slice(2) })
    this.life.signal.addEventListener('abort', () => attributes.disconnect())
    whenNear(this.host, this.life.signal, () => this.begin())
  }

  stop() {
    this.life?.abort()
    this.life = this.frame = undefined
    clearTimeout(this.alarm)
    this.port?.close()
    this.outside.leave()
    this.empty()
  }

  /** What the widget says of itself, or nothing where none runs. */
  inspect(moment) {
    return this.frame && !this.frame.className ? new Promise((done) => this.port.postMessage({ look: this.looks.push(done), moment })) : undefined
  }

  attributes() {
    return Object.fromEntries(attributeNames.filter((name) => name != 'sandbox' && this.host.hasAttribute(name))
      .map((name) => [name, this.host.getAttribute(name)]))
  }

  begin() {
    this.port?.close()
    this.outside.leave()
    const frame = document.createElement('iframe')
    // Taps are submissions of forms, which the script takes.
    frame.setAttribute('sandbox', 'allow-scripts allow-forms')
    frame.title = this.host.getAttribute('aria-label') ?? 'Widget'
    const script = document.createElement('script')
    Object.assign(script, { type: 'module', src: page.createScriptURL(import.meta.url) })
    script.setAttribute('crossorigin', '')
    frame.srcdoc = page.createHTML(`<!doctype html><meta charset="utf-8">${script.outerHTML}<widget-view src framed></widget-view>`)
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    port1.onmessage = ({ data }) => this.heard(port1, data)
    frame.addEventListener('load', () => {
      frame.contentWindow.postMessage({ widgetView: this.attributes() }, '*', [port2])
      this.expect(port1, framePatience.begin)
    }, { once: true })
    // What the page has put into the element shows until the first view.
    frame.className = 'wait'
    this.frame = frame
    this.empty()
    this.root.append(frame)
    this.outside.back = (depth) => port1.postMessage({ back: depth })
    this.expect(port1, framePatience.load)
  }

  /** The frame has to say something. */
  expect(port, time) {
    clearTimeout(this.alarm)
    this.alarm = setTimeout(() => {
      const message = 'The frame did not begin: widget-view.js did not come.'
      const hints = ['The frame gets it from the network alone, if its server sends Access-Control-Allow-Origin: *']
      this.heard(port, { kind: 'fault', detail: { code: 'engine', message, hints } })
    }, time)
  }

  /** The frame asks for something, or says what has happened. */
  async heard(port, { number, name, words, kind, detail, look, found }) {
    if (port != this.port) return
    clearTimeout(this.alarm)
    if (look) return this.looks[look - 1]?.(found)
    if (kind) {
      if (!toldKinds.includes(kind)) return
      if (kind == 'ready') {
        this.frame.className = ''
        one('slot', this.root)?.remove()
      }
      if (kind == 'fault') {
        say(this.host, String(detail?.message))
        againOnline(this.life.signal, () => this.port == port && this.begin())
      }
      return this.outside.tell(kind, detail)
    }
    if (!asked.includes(name)) return
    try {
      port.postMessage({ number, value: await this.outside[name](...words) })
    } catch (error) {
      port.postMessage({ number, error: { message: error.message, code: error.reason ?? error.code, hints: error.hints } })
    }
  }
}

/** The page around a frame, as the widget in it sees that. */
class OutsideByMessages {
  constructor(port, host) {
    this.port = port
    this.waiting = new Map()
    this.last = 0
    for (const name of asked) this[name] = (...words) => this.ask(name, words)
    port.onmessage = async ({ data: { number, value, error, attributes, back, look, moment } }) => {
      if (back !== undefined) return this.back(back)
      if (look) return port.postMessage({ look, found: await host.inspect(moment).catch(() => {}) })
      if (attributes) return OutsideByMessages.take(host, attributes)
      const { done, failed } = this.waiting.get(number)
      this.waiting.delete(number)
      if (error) failed(Object.assign(new EngineFault(error.code, error.message, error.hints)))
      else done(value)
    }
  }

  static take(host, attributes) {
    for (const name of attributeNames) {
      if (name == 'src') continue
      // Only what differs: each change is heard.
      if (!(name in attributes)) host.removeAttribute(name)
      else if (host.getAttribute(name) != attributes[name]) host.setAttribute(name, attributes[name])
    }
  }

  ask(name, words) {
    return new Promise((done, failed) => {
      this.waiting.set(++this.last, { done, failed })
      this.port.postMessage({ number: this.last, name, words })
    })
  }

  tell(kind, detail) { this.port.postMessage({ kind, detail }) }

  leave() {
    this.seated?.then((desk) => desk.leave(), () => {})
    this.seated = undefined
  }

  /** The worker of this frame. The bytes of its engine are handed in by the page. */
  async desk() {
    this.compiled ??= this.engine().then((bytes) => WebAssembly.compile(bytes))
    const desk = await (this.seated ??= this.compiled.then((module) => EngineDesk.seat(module)))
    if (!desk.fault) return desk
    this.seated = undefined
    return this.desk()
  }
}

/** In a frame, the page around it hands in a port first. */
function framed(host) {
  document.adoptedStyleSheets.push(frameSheet)
  let view
  const handed = new Promise((done) => {
    // The page around is the first that has this frame; not every engine names it as the source.
    addEventListener('message', ({ data, ports }) => {
      if (view || !data?.widgetView || !ports[0]) return
      OutsideByMessages.take(host, data.widgetView)
      done(new OutsideByMessages(ports[0], host))
    })
  })
  return {
    async start() {
      views.set(host, view ??= Object.assign(new LocalView(host, await handed), { isNear: true }))
      view.start()
    },
    stop() { view?.stop() },
  }
}

const View = customElements.get('widget-view')
const propertyOf = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
for (const name of attributeNames) {
  const property = propertyOf(name)
  const isSwitch = /sandbox|history|stubs|outcomes/.test(name)
  if (property in HTMLElement.prototype) continue
  Object.defineProperty(View.prototype, property, {
    configurable: true,
    enumerable: true,
    get() { return isSwitch ? this.hasAttribute(name) : this.getAttribute(name) ?? '' },
    set(value) {
      const isOff = value == null || (isSwitch && value === false)
      if (isOff) this.removeAttribute(name)
      else this.setAttribute(name, isSwitch ? '' : value)
    },
  })
}
/** Takes what a page has said of its element before this script came. */
function take(host) {
  for (const property of attributeNames.map(propertyOf)) {
    if (!Object.hasOwn(host, property)) continue
    const value = host[property]
    delete host[property]
    host[property] = value
  }
}

/** The views of elements, for what a page asks of them. */
const views = new WeakMap()
Object.assign(View.prototype, {
  /** Closes the screen that was opened last; false where there is none to close. */
  back() { return views.get(this)?.outside.closeScreen() ?? false },
  /** What the widget is made of, or was at a moment of its `timeline`; nothing where none runs. */
  async inspect(moment) { return views.get(this)?.inspect(moment) },
})

View.local = (host) => {
  take(host)
  if (host.hasAttribute('framed') && origin == 'null') return framed(host)
  const outside = new Outside(host)
  const view = host.hasAttribute('sandbox') ? new FramedView(host, outside) : new LocalView(host, outside)
  views.set(host, view)
  return view
}
// Those that were in the document before this script.
for (const host of all('widget-view', document)) {
  take(host)
  if (host.hasAttribute('src')) host.connectedCallback()
}
