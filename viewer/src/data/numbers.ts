// Numbers and units as people read them.

/** Five significant digits at most: 0.0125, 1.2e-9, 34200. */
export function formatNumber(value: number | null | undefined, digits = 5): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "not a number";
  if (!Number.isFinite(value)) return value > 0 ? "infinite" : "minus infinite";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
  return text
    .replace(/(\.\d*?)0+(e|$)/, "$1$2")
    .replace(/\.(e|$)/, "$1")
    .replace("e+", "e")
    .replace(/^-/, "−")
    .replace("e-", "e−");
}

/** [m]; pure numbers have none. */
export function formatUnit(unit: string): string {
  return unit === "1" || unit === "" ? "" : unit;
}

export function formatValue(value: number | null | undefined, unit: string, digits = 5): string {
  const word = formatUnit(unit);
  return word ? `${formatNumber(value, digits)} ${word}` : formatNumber(value, digits);
}

/** Time with as many decimals as the run's frames need. */
export function formatTime(t: number, interval: number): string {
  const decimals = Math.min(6, Math.max(2, Math.ceil(-Math.log10(Math.max(interval, 1e-6)))));
  return t.toFixed(decimals);
}
