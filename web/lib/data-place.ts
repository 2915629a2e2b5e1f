import { countryName, inCountryLabel } from '#contract/countries.ts'
import { pageConfig } from './page-state.ts'

/** Where the data of a model goes, seen from the country of this installation. */

export const homeCountry = () => pageConfig().country ?? 'RU'

/** An unknown country counts as another one. */
export const leavesHome = ({ country }: { country: string | null }) => country !== homeCountry()

/** «Данные остаются в России», «Данные уходят: США». */
export function placeLabel(country: string | null): string {
  if (country === null) return 'Неизвестно, куда уходят данные'
  return country === homeCountry()
    ? `Данные остаются ${inCountryLabel(country)}`
    : `Данные уходят: ${countryName(country)}`
}
