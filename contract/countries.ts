const names = () => new Intl.DisplayNames('ru', { type: 'region', style: 'short', fallback: 'code' })

/** «Россия», «США». */
export function countryName(code: string): string {
  try {
    return names().of(code) ?? code
  } catch {
    return code
  }
}

/** «в России»; other names are not declined: «в стране «Беларусь»». */
export function inCountryLabel(code: string): string {
  return code === 'RU' ? 'в России' : `в стране «${countryName(code)}»`
}
