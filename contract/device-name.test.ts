import { expect, test } from 'vitest'
import { deviceOf } from './device-name.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0'

test.each([
  [`${windows} ${chrome} Safari/537.36`, 'Chrome на Windows'],
  [`${windows} ${chrome} YaBrowser/25.6.0.0 Safari/537.36`, 'Яндекс Браузер на Windows'],
  [`${windows} ${chrome} Safari/537.36 Edg/138.0.0.0`, 'Edge на Windows'],
  [`${windows} ${chrome} Safari/537.36 OPR/120.0.0.0`, 'Opera на Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox на Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari на Mac',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome на ChromeOS'],
])('%s is a computer: %s', (userAgent, name) => {
  expect(deviceOf(userAgent)).toEqual({ name, isHandheld: false })
})

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari на iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1',
    'Chrome на iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, 'Chrome на Android'],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S911B) ${chrome} SamsungBrowser/27.0 Mobile Safari/537.36`,
    'Samsung Internet на Android',
  ],
])('%s is a phone: %s', (userAgent, name) => {
  expect(deviceOf(userAgent)).toEqual({ name, isHandheld: true })
})

test('an unknown device is not guessed', () => {
  expect(deviceOf('curl/8.5.0').name).toBe('Неизвестное устройство')
  expect(deviceOf('okhttp/4.12 (Android 14)').name).toBe('Приложение на Android')
  expect(deviceOf('').name).toBe('Неизвестное устройство')
  expect(deviceOf(null).name).toBe('Неизвестное устройство')
})
