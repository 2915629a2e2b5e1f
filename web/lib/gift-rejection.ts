import type { GiftRejection } from '#contract/users.ts'

/** Why the start symbols were not granted and what to do about it. */
export const giftRejectionLabel: Record<GiftRejection, string> = {
  repeated: 'Стартовые символы уже были выданы на этот адрес. Они даются человеку один раз.',
  disposable:
    'На временные почтовые адреса стартовые символы не даются. Смените почту на постоянную и войдите ещё раз: они начислятся.',
  network:
    'Сегодня из вашей сети стартовые символы уже получили несколько человек. Войдите завтра ещё раз: они начислятся.',
}
