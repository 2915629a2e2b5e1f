import { expect, test } from 'vitest'
import { plainTitle, withoutMarks } from './without-marks.ts'

test('a source is shown without Markdown (S10.657)', () => {
  const text = '# Договор\n\n- **Срок**: 5 дней\n> см. [сайт](https://a.b) и `код`, 2 * 3 * 4'
  expect(withoutMarks(text)).toBe('Договор\n\n• Срок: 5 дней\nсм. сайт и код, 2 * 3 * 4')
})

test('a title has no marks of Markdown and keeps lookalikes (S10.1493)', () => {
  const titles = {
    '**Договор** и `код`': 'Договор и код',
    '## *Счёт* за _март_': 'Счёт за март',
    '- [Сайт](https://a.b) ~~старый~~': 'Сайт старый',
    'Итоги **': 'Итоги',
    'Поле my_long_name и 2*3*4': 'Поле my_long_name и 2*3*4',
    'Файл __init__.py': 'Файл __init__.py',
    'C# и #хэштег': 'C# и #хэштег',
    '***': '***',
  }
  for (const [title, plain] of Object.entries(titles)) expect(plainTitle(title)).toBe(plain)
})
