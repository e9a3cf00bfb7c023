// The side of the engine: calls of widgets arrive by numbers, and each message is answered once. Widgets share a worker where there
// are more than workers.

/** What a host needs to know after calls: it asks for nothing twice. */
class EngineSeat {
  constructor(engine) {
    this.engine = engine
    this.sent = new Set()
    // The beginning of the addresses of pictures: no text of a widget can have it.
    this.mark = `widget-picture-${crypto.getRandomValues(new Uint32Array(2)).join('-')}:`
  }

  /** Opens a widget, in place of one that was opened before. */
  open(settings, files) {
    this.sent.clear()
    const instance = this.engine.instance()
    const opened = instance.call('open', { ...settings, contained: true, pictures: this.mark }, files)
    this.widget = new EngineWidget(instance)
    return opened
  }

  /** Carries out calls, of which one that is refused stops none. */
  turn(calls) {
    const results = []
    for (const [name, settings = {}, files = {}] of calls) {
      try {
        const result = this.result(name, settings, files)
        if ('next' in result) this.next = result.next
        results.push(result)
      } catch (fault) {
        if (fault.code == 'trap' || fault.code == 'limit' || name == 'open') throw fault
        results.push({ fault: { code: fault.code, message: fault.message, hints: fault.hints } })
      }
    }
    return results
  }

  /** Some calls need no widget. */
  result(name, settings, files) {
    if (name == 'open') return this.open(settings, files)
    const isFree = name == 'prove' || name == 'granted'
    return (isFree ? this.engine.instance() : this.widget.instance).call(name, settings, files)
  }

  /** The state after calls: the page as it is, or its changes. */
  outcome(isWhole) {
    const { widget } = this
    const found = { next: this.next, mark: this.mark, pictures: {} }
    if (isWhole) Object.assign(found, widget.page(), { sheets: widget.sheets() })
    else found.operations = decoder.decode(widget.instance.call('changes').pieces[0])
    const text = isWhole ? found.html + found.sheet + found.sheets : found.operations
    for (const part of text.split(this.mark).slice(1)) {
      const [name] = /^[\w.-]*/.exec(part)
      if (this.sent.has(name)) continue
      this.sent.add(name)
      found.pictures[name] = widget.picture(name)
    }
    // What is taken once comes last: nothing after it can fail.
    return Object.assign(found, {
      cacheChanges: widget.cacheChanges(), requests: widget.requests(), wishes: widget.wishes(), unsaved: widget.unsaved(),
    })
  }
}

function serve(scope) {
  const seats = new Map()
  let engine
  scope.onmessage = ({ data: { module, number, widget, calls, shows, ends } }) => {
    if (module) {
      engine = new Engine(module)
      return
    }
    if (ends) {
      seats.delete(widget)
      return
    }
    try {
      const seat = seats.get(widget) ?? new EngineSeat(engine)
      seats.set(widget, seat)
      const results = seat.turn(calls)
      const outcome = shows ? seat.outcome(shows == 'page') : {}
      scope.postMessage({ number, results, ...outcome })
    } catch (error) {
      const { code = 'trap', message, hints } = error
      scope.postMessage({ number, fault: { code, message, hints } })
    }
  }
}
