// The workers of a page, each with an engine.

/** Milliseconds that a worker may take for a call, and to open a widget. */
const budgets = { call: 5_000, open: 30_000 }

/** One worker with an engine. Calls are answered in their order; a worker that takes too long is ended, and its widgets hear so. */
class EngineDesk {
  static mostDesks = 8
  /** Widgets have numbers of a page. */
  static lastWidget = 0
  static desks = []
  static engines = new Map()
  /** Addresses whose kept engine is known to be that of their server. */
  static current = new Set()

  /** The compiled engine of an address, once for a page. */
  static module(address) {
    const { engines } = EngineDesk
    if (!engines.has(address)) {
      const loading = EngineDesk.answer(address).then((answer) => WebAssembly.compileStreaming(answer))
      engines.set(address, loading)
      // After a failure it is asked for again by the next widget.
      loading.catch(() => engines.delete(address))
    }
    return engines.get(address)
  }

  /** The engine's file, from the network or else as it was kept. */
  static async answer(address) {
    // A page that may keep nothing has no shelf.
    const shelf = await self.caches?.open('widget-view').catch(() => undefined)
    const kept = await shelf?.match(address)
    if (kept && EngineDesk.current.has(address)) return kept
    try {
      const answer = await fetch(address, { credentials: 'omit' })
      if (!answer.ok) throw new EngineFault('engine', `The engine is not at ${address}: ${answer.status}.`)
      // Two answers that say nothing of themselves are not the same for it.
      const isKept = (kept?.headers.get('ETag') ?? kept?.headers.get('Last-Modified'))
        && ['ETag', 'Last-Modified', 'Content-Length'].every((name) => kept.headers.get(name) == answer.headers.get(name))
      const keeping = isKept ? Promise.resolve() : shelf?.put(address, answer.clone())
      keeping?.then(() => EngineDesk.current.add(address), () => {})
      return answer
    } catch (error) {
      if (kept) return kept
      throw error instanceof EngineFault ? error : new EngineFault('engine', `The engine did not come from ${address}: ${error.message}.`)
    }
  }

  /** A worker for a widget: one of its own while there are few. */
  static seat(module) {
    const own = EngineDesk.desks.filter((desk) => desk.module == module)
    const free = own.sort((one, other) => one.count - other.count)[0]
    if (free && (free.count == 0 || EngineDesk.desks.length >= EngineDesk.mostDesks)) return free.taken()
    const desk = new EngineDesk(module)
    EngineDesk.desks.push(desk)
    return desk.taken()
  }

  constructor(module) {
    Object.assign(this, { module, count: 0, number: 0, waiting: [] })
    const source = URL.createObjectURL(new Blob([`(${workerSide})((${engineParts})())`], { type: 'text/javascript' }))
    this.worker = new Worker(page.createScriptURL(source))
    URL.revokeObjectURL(source)
    this.worker.onmessage = ({ data }) => this.answered(data)
    this.worker.onerror = ({ message }) => {
      const said = message ? `says ${message}` : "did not start: worker-src of the page's policy has to name blob:"
      this.end(new EngineFault('worker', `The widget has ended: its worker ${said}.`))
    }
    this.worker.postMessage({ module })
  }

  taken() {
    this.count += 1
    return this
  }

  leave() { this.count -= 1 }

  /** A widget of this worker has ended. */
  drop(widget) { if (!this.fault) this.worker.postMessage({ widget, ends: true }) }

  ask(message, budget = budgets.call) {
    if (this.fault) return Promise.reject(this.fault)
    return new Promise((done, failed) => {
      this.waiting.push({ number: ++this.number, widget: message.widget, budget, done, failed })
      this.worker.postMessage({ ...message, number: this.number })
      if (this.waiting.length == 1) this.watch()
    })
  }

  /** The first call that waits is the one that the worker is busy with. */
  watch() {
    clearTimeout(this.timer)
    const [first] = this.waiting
    if (!first) return
    this.timer = setTimeout(() => {
      this.end(new EngineFault('time', `The widget has ended: it has taken more than ${first.budget / 1000} s.`), first.widget)
    }, first.budget)
  }

  answered({ number, fault, ...answer }) {
    const call = this.waiting.shift()
    if (call.number != number) return this.end(new EngineFault('worker', 'The widget has ended: its worker answers out of turn.'))
    this.watch()
    if (fault) call.failed(Object.assign(new EngineFault(fault.code, fault.message, fault.hints), { isOwn: true }))
    else call.done(answer)
  }

  /** Ends the worker. Only the widget that it was busy with is at fault; the others begin anew elsewhere. */
  end(fault, culprit) {
    this.fault = fault
    clearTimeout(this.timer)
    this.worker.terminate()
    EngineDesk.desks = EngineDesk.desks.filter((desk) => desk != this)
    for (const { widget, failed } of this.waiting) {
      failed(Object.assign(new EngineFault(fault.code, fault.message), { isOwn: culprit === undefined || widget == culprit }))
    }
    this.waiting = []
  }
}
