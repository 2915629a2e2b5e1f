/** Days begin at midnight of Minsk and Moscow, whose clocks agree. People read the name of their own capital. */
export function dayZoneOf(country: string | undefined): string {
  return country === 'BY' ? 'по Минску' : 'по Москве'
}
