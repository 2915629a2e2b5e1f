import { expect, test } from 'vitest'
import { stylesFor } from './shell-styles.mjs'

const html = '<aside class="flex hover:red frame:block w-[2px]"><b class="red">Символ</b></aside>'

test('only styles that the HTML can match are kept (S10.725)', () => {
  const kept = stylesFor(
    '.flex{display:flex}.grid{display:grid}aside,table{margin:0}table{color:red}.flex .grid{color:red}.w-\\[2px\\]{width:2px}*{padding:0}',
    html,
  )
  expect(kept).toBe('.flex{display:flex}aside{margin:0}.w-\\[2px\\]{width:2px}*{padding:0}')
})

test('styles of states and of printing come later', () => {
  const css =
    '.hover\\:red:hover{color:red}.flex:focus-within{color:blue}@media print{.flex{color:#000}}@media (width>=9px){.frame\\:block{display:block}.grid{color:red}}'
  expect(stylesFor(css, html)).toBe('.flex:focus-within{color:blue}@media (width>=9px){.frame\\:block{display:block}}')
})

test('conditions in brackets count as met', () => {
  const css = '.flex:has(.grid){color:red}:where(.grid) .red{color:blue}.flex[data-open]{color:green}'
  expect(stylesFor(css, html)).toBe(css)
})

test('variables, animations and fonts that nothing uses are left out', () => {
  const css =
    ':root{--a:var(--b);--b:1px;--c:var(--d);--d:2px}@property --a{syntax:"*";inherits:false}@property --e{syntax:"*";inherits:false}' +
    '@keyframes appear{0%{opacity:0}}@keyframes spin{0%{opacity:0}}@font-face{font-family:Used}@font-face{font-family:Unused}' +
    '.flex{width:var(--a);animation:appear 1s;font-family:Used,serif}.grid{animation:spin 1s;height:var(--d)}'
  expect(stylesFor(css, html)).toBe(
    ':root{--a:var(--b);--b:1px}@property --a{syntax:"*";inherits:false}@keyframes appear{0%{opacity:0}}' +
      '@font-face{font-family:Used}.flex{width:var(--a);animation:appear 1s;font-family:Used,serif}',
  )
})
