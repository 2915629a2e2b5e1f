import { expect, test } from 'vitest'
import { csvText } from './csv.ts'

test('the file has UTF-8, semicolons and a comma in numbers', () => {
  expect(csvText(['Название', 'Тариф'], [['Про', 2.5]])).toBe('\uFEFFНазвание;Тариф\r\nПро;2,5\r\n')
})

test('quotes, semicolons and lines stay inside their cell', () => {
  expect(csvText(['а'], [['1;2'], ['"да"'], ['две\nстроки'], [null]])).toBe(
    '\uFEFFа\r\n"1;2"\r\n"""да"""\r\n"две\nстроки"\r\n\r\n',
  )
})

test.each(['=1+1', '+7', '-5', '@x'])('%s is a text, not a formula', (text) => {
  expect(csvText(['а'], [[text]])).toContain(`'${text}`)
})
