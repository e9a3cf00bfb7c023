// Calls of the engine that programs in JavaScript make one by one. The element makes them in turns, and its script goes without
// these.

/** Compiles the engine from its bytes, or from the answer of a `fetch` while it comes. */
Engine.load = async (source) => {
  const isAnswer = typeof Response == 'function' && source instanceof Response
  return new Engine(await (isAnswer ? WebAssembly.compileStreaming(source) : WebAssembly.compile(source)))
}

Object.assign(Engine.prototype, {
  /** Opens a widget: an archive's bytes, and settings by the names of the options of `widget render`. */
  open(archive, settings = {}, { zone, records } = {}) {
    const instance = this.instance()
    const files = { archive, zone, records }
    const opened = instance.call('open', settings, files)
    return Object.assign(new EngineWidget(instance), {
      identifier: opened.identifier, content: opened.content, cached: opened.cached,
    })
  },
})

Object.assign(EngineWidget.prototype, {
  start(now = EngineWidget.moment()) { return this.instance.call('start', { now }) },
  tick(now = EngineWidget.moment()) { return this.instance.call('tick', { now }) },

  /** Takes a batch of acts as live pages send it, `[serial, [event…]]`. */
  act(batch, now = EngineWidget.moment()) {
    return this.instance.call('act', { now }, { batch: encoder.encode(JSON.stringify(batch)) })
  },

  link(link, now = EngineWidget.moment()) { return this.instance.call('link', { link, now }) },

  pick(key, name, file, now = EngineWidget.moment()) { return this.instance.call('pick', { key, name, now }, { file }) },

  show(settings, now = EngineWidget.moment()) { return this.instance.call('show', { ...settings, now }) },

  /** The operations since the last page or change. */
  changes() { return JSON.parse(decoder.decode(this.instance.call('changes').pieces[0])) },

  /** True if one of the grants that the widget was opened with allows an address, a `URL`. */
  isGranted(url) { return this.instance.call('granted', { url: grant(url) }).granted },

  /** Answers a request: `{status, body, retry}`, or `{failure, sent}`. */
  answer(number, { body, ...answer }, now = EngineWidget.moment()) {
    return this.instance.call('answer', { ...answer, number, now }, { body })
  },

  recall(changes) { return this.instance.call('recall', { changes }) },

  /** The screen in a form, `text`, `json` or `frames`, and where each of its values came from. */
  snapshot(form = 'json', explain = false) {
    const [text, explained] = this.instance.call('snapshot', { as: form, explain }).pieces
    return { text: decoder.decode(text), explained: decoder.decode(explained) }
  },
})
