// What the page does with what its widget says.
const view = document.querySelector('widget-view')
const said = document.querySelector('#said')

view.addEventListener('ready', ({ detail }) => { said.textContent = `${detail.identifier} is here.` })
view.addEventListener('fault', ({ detail }) => { said.textContent = `No widget: ${detail.message}` })
view.addEventListener('open', ({ detail: address }) => { said.textContent = `The widget asks for ${address}.` })
