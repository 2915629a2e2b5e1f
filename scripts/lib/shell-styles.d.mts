export function stylesFor(css: string, html: string): string
