import type { Nodes } from 'mdast'
import { expect, test } from 'vitest'
import { parseAnswer } from './parse-answer.ts'

/** The text with `<b>` and `<i>` where it is bold or italic. */
function marked(node: Nodes): string {
  if (node.type === 'strong') return `<b>${node.children.map(marked).join('')}</b>`
  if (node.type === 'emphasis') return `<i>${node.children.map(marked).join('')}</i>`
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(marked).join('') : ''
}
const shown = (text: string) => parseAnswer(text).map(marked).join('¶')

test.each([
  ['**Важно:**это', '<b>Важно:</b>это'],
  ['**«слово»**дальше', '<b>«слово»</b>дальше'],
  ['слово**«цитата»**дальше', 'слово<b>«цитата»</b>дальше'],
  ['**Раз.**Два **три!**четыре', '<b>Раз.</b>Два <b>три!</b>четыре'],
  ['**Первое:**текст:**второе:**конец', '<b>Первое:</b>текст:<b>второе:</b>конец'],
  ['** текст **', '<b> текст </b>'],
  ['** Итог **: ясен', '<b> Итог </b>: ясен'],
  ['- ** пункт ** дальше', '<b> пункт </b> дальше'],
  ['**жирный и *курсив* внутри:**да', '<b>жирный и <i>курсив</i> внутри:</b>да'],
  ['***оба*** и **жирный**', '<i><b>оба</b></i> и <b>жирный</b>'],
])('%s is bold (S10.653)', (text, html) => expect(shown(text)).toBe(html))

test.each([
  '2 ** 3 ** 4',
  'x**(a+b)**y',
  '2**(3+4)**5',
  'src/**/*.ts и lib/**/*.js',
  'f(*args,**kwargs)',
  'f(**a,**b)',
  '** пункт один\n** пункт два',
  'это ** не жирный',
  'a ** b ** c',
])('%s stays as it is written (S10.653)', (text) => expect(shown(text)).toBe(text))
